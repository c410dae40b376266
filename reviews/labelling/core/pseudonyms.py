"""What reviewers call a player: always the same within a tenant, and nothing that leads to them."""

from __future__ import annotations

import hashlib
import hmac

ALPHABET = "23456789BCDFGHJKMNPQRSTVWXYZ"
"""Neither vowels, so that no word comes about, nor signs that look alike."""
LENGTH = 6


def build_pseudonym(secret: bytes, *, tenant_id: int, end_user_id: int) -> str:
    """For example `Player K7Q-M4T`."""
    digest = hmac.digest(secret, f"pseudonym:{tenant_id}:{end_user_id}".encode(), hashlib.sha256)
    number = int.from_bytes(digest[:8])
    signs = ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        signs += ALPHABET[place]
    return f"Player {signs[:3]}-{signs[3:]}"
