"""Tables of change requests."""
