"""Tables of runtime."""
