"""Tables of passages of messages, and of codes for users who said much."""
