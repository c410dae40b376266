"""How NPCs stand towards parties and users: moves, their ledger, scales."""
