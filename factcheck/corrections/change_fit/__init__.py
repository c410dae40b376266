"""Fitting the reader of changes of mind: needs torch, which the service does not."""
