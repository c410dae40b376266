"""Admin pages of change requests."""
