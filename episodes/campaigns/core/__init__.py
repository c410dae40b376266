"""Pure parts of campaigns."""
