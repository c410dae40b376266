"""Profiles of NPCs through review."""
