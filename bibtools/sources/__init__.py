"""Where known works come from: files of conferences and indexes, and the web."""
