"""Posting a message: kept word for word and understood, in one transaction."""
