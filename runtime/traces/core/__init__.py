"""Pure parts of traces."""
