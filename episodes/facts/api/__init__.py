"""Facts by REST."""
