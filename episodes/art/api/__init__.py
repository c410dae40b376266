"""Art by REST."""
