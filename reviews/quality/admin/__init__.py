"""The quality page."""
