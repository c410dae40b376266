"""Fitting the judge of replies: needs torch, which the service does not."""
