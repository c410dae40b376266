"""What is read of the store."""
