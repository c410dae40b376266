"""Facts made again from what was said: all that a player told, once more in its order."""
