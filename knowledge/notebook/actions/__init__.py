"""What is written in notebooks, each write a version with its author."""
