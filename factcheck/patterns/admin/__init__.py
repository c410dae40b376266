"""Admin pages of patterns."""
