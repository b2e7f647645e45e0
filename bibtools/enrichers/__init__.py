"""What is added to entries: works, links, checks, keys. Entries in, one Enrichment each out."""
