"""Writes of the graph. Only these touch its tables."""
