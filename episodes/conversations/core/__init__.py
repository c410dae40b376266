"""Pure parts of conversations."""
