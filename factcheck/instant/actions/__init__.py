"""Messages read, and what they say kept."""
