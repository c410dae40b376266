"""Chat by REST."""
