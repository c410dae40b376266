"""Session memory by REST."""
