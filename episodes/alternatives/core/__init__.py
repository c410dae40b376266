"""What of an alternative that is read no more is pure."""
