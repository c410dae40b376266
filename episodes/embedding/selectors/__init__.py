"""How messages stand on their way to a vector."""
