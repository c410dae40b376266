"""REST routes of episodes."""
