"""The graph by REST: read-only. Canon and play are written elsewhere."""
