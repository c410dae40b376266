"""What NPCs know of play, and how they stand because of it."""
