"""Known works: the store, fingerprints of abstracts, and the match."""
