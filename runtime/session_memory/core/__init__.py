"""Keys, entries and preferences of session memory: pure."""
