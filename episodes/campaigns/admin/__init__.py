"""Admin pages of campaigns."""
