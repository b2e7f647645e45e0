"""Text values: parse a string into a value, format a value as a string. Pure, no input or output."""
