"""What threads are, in pure Python."""
