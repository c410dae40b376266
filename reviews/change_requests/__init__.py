"""Change requests: drafted, reviewed by a second person, moved onto what is live."""
