"""Admin pages of NPC profiles under review."""
