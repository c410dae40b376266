"""Tables of episodes."""
