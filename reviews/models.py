"""Tables of reviews."""
