"""Vectors made: queue, backlog, renewal."""
