"""The context pack by REST."""
