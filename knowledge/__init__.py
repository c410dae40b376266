"""Canon, search, user facts, notebooks and the graph of entities."""
