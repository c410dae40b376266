"""Pure rules of the store."""
