"""Pure parts of episodes: what a message may be, and how its frame is told."""
