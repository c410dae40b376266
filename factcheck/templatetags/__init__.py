"""Template tags of fact checking."""
