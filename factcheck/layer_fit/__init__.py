"""Fitting the upper layers of the embedder to a task: needs torch, which the service does not."""
