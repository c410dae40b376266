"""Claims and replies held against canon."""
