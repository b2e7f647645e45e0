"""Sample lists and catalogue."""
