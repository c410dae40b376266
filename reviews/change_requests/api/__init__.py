"""Change requests by REST."""
