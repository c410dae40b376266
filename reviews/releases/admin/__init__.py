"""Admin pages of releases."""
