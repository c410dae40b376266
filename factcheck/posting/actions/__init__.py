"""Messages posted and understood."""
