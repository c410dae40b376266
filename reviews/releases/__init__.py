"""Releases: staged, tested, swapped, rolled back; built anew for another embedder."""
