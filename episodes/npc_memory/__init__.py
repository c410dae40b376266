"""Which scenes an NPC knows, how it learnt of them, and how it stands because of them."""
