"""Art cards by REST."""
