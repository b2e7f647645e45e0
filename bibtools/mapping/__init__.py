"""Between the model and each format's names and types, both ways, from `tables`."""
