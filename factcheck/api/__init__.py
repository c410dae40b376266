"""REST routes of fact checking."""
