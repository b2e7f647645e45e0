"""Name papers from their abstracts, export citations without loss, and check their code links."""

__version__ = "0.1.0"
