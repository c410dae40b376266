"""What a player's "no, that's wrong" does to what is known."""
