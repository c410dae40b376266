"""Facts made again from what was said."""
