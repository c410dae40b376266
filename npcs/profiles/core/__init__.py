"""Pure parts of profiles."""
