"""Admin pages of golden."""
