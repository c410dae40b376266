"""Tables of patterns."""
