"""Pure parts of claims."""
