"""Admin pages of profiles."""
