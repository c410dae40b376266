"""Raw queries, one a file."""
