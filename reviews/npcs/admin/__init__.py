"""Admin pages of npcs."""
