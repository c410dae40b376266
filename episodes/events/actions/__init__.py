"""What moves events through their states."""
