"""Tables of embedding."""
