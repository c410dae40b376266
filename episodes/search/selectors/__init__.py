"""Search: whose messages, how near, and the hits as cards."""
