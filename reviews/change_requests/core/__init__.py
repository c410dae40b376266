"""Pure parts of change requests."""
