"""Tables of npcs."""
