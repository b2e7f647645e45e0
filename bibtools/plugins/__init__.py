"""Adapters to other programs; each module is the only one that imports its host."""
