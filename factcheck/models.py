"""Tables of factcheck."""
