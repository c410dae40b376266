"""What is read of notebooks."""
