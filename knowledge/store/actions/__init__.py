"""What is written in the store."""
