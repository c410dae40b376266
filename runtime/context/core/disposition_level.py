"""How an NPC stands, in a word: numbers of the engine are not for models to read out."""

from __future__ import annotations

LEVELS = ("hostile", "cold", "neutral", "warm", "devoted")


def name_level(value: float, *, least: float, most: float, initial: float) -> str:
    """The word for a value: neutral where nothing happened, else by how far it is from there to the scale's end."""
    room = (most - initial) if value > initial else (initial - least)
    share = 0.0 if room <= 0 else abs(value - initial) / room
    if share < 0.2:
        return "neutral"
    if value > initial:
        return "warm" if share < 0.7 else "devoted"
    return "cold" if share < 0.7 else "hostile"
