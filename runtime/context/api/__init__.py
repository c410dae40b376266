"""Context by REST."""
