"""REST routes of the runtime app."""
