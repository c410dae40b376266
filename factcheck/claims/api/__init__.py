"""Claims by REST."""
