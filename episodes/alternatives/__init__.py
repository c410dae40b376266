"""Messages that were edited, swiped and chosen again, and conversations that branch."""
