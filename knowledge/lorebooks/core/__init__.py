"""The neutral model of a lorebook."""
