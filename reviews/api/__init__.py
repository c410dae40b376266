"""REST routes of review: machines propose, people decide."""
