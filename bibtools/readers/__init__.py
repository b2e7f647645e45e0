"""Text in, a Library out: one reader per format."""
