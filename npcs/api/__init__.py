"""REST door of npcs."""
