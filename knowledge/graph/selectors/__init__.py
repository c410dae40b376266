"""Reads of the graph, as far as a reader may know it."""
