"""Entries out: one writer per format, and reports."""
