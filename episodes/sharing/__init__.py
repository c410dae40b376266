"""What NPCs tell each other when a scene ends."""
