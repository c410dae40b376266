"""Tables of knowledge."""
