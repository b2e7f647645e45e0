"""The command line: one module per command. Parsers import the standard library only."""
