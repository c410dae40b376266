"""Search in what one user and the assistant said."""
