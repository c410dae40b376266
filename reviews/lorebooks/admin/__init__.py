"""Pages of lorebooks and cards: import, export, an NPC as a card."""
