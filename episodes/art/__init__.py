"""Art cards: what pictures show in words, searched by it."""
