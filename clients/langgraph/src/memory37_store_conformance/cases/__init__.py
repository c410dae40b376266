"""The cases, by what they are about."""
