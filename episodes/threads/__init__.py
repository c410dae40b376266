"""Threads of agents: their checkpoints, what waits for a person, and going back."""
