"""What the graph knows without a database: names, predicates, kinds, what an article says of others."""
