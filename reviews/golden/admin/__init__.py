"""Admin pages of golden queries."""
