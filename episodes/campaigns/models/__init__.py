"""Tables of campaigns."""
