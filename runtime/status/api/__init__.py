"""Status by REST."""
