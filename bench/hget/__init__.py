"""A route with one Redis HGET behind the same key, scope and rate as a notebook's: the floor of a fact by REST."""
