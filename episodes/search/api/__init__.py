"""Search by REST."""
