"""Pure parts of forgetting."""
