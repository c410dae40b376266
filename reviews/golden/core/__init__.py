"""Pure parts of golden."""
