"""Tables of condensing."""
