"""The form of an API key: `m37_<prefix>_<secret>`. The prefix is public and found in logs, the secret is shown once."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
from dataclasses import dataclass, field

PREFIX_ALPHABET = string.ascii_lowercase + string.digits
PREFIX_LENGTH = 10
SECRET_ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 43
"""43 letters of 62 hold 256 bits: too many to guess, so a plain SHA-256 is enough to keep them by."""

KEY_FORM = re.compile(rf"m37_([a-z0-9]{{4,16}})_([A-Za-z0-9]{{{SECRET_LENGTH}}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class KeyParts:
    """An API key taken apart; its text form never shows in a `repr`."""

    prefix: str
    secret: str = field(repr=False)

    def as_text(self) -> str:
        """The key as its holder sends it."""
        return f"m37_{self.prefix}_{self.secret}"


def generate_key() -> KeyParts:
    """A new random key."""
    return KeyParts(
        prefix="".join(secrets.choice(PREFIX_ALPHABET) for _ in range(PREFIX_LENGTH)),
        secret="".join(secrets.choice(SECRET_ALPHABET) for _ in range(SECRET_LENGTH)),
    )


def parse_key(text: str) -> KeyParts | None:
    """The parts of a key, or None for a text that cannot be one."""
    match = KEY_FORM.fullmatch(text)
    return KeyParts(match[1], match[2]) if match else None


def hash_secret(secret: str) -> bytes:
    """What is stored of a secret: its SHA-256."""
    return hashlib.sha256(secret.encode()).digest()


def is_same_secret(secret: str, stored_hash: bytes) -> bool:
    """Whether the secret is the one stored; takes the same time whatever the answer."""
    return hmac.compare_digest(hash_secret(secret), stored_hash)
