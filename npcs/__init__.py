"""Profiles of NPCs, their dispositions and the ledger that changes them."""
