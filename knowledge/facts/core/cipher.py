"""Encryption of facts: AES-256-GCM under a ring of keys, and a blind index that finds equal keys without decrypting."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FORMAT = 1
NONCE_BYTES = 12
_HEADER_BYTES = 3


class UndecipherableFact(Exception):
    """A ciphertext was changed, moved to another row, or its key is not in the ring."""


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys by number; `primary` encrypts, all decrypt. `index_key` makes blind indexes and stays the same."""

    keys: Mapping[int, bytes] = field(repr=False)
    primary: int
    index_key: bytes = field(repr=False)

    def encrypt(self, text: str, *, context: str) -> bytes:
        """Format, key number, nonce, ciphertext with tag. It decrypts in the same `context` only."""
        return self.encrypt_bytes(text.encode(), context=context)

    def encrypt_bytes(self, data: bytes, *, context: str) -> bytes:
        """The same for bytes."""
        nonce = os.urandom(NONCE_BYTES)
        header = bytes([FORMAT]) + self.primary.to_bytes(2, "big")
        sealed = AESGCM(self.keys[self.primary]).encrypt(nonce, data, header + context.encode())
        return header + nonce + sealed

    def decrypt(self, sealed: bytes, *, context: str) -> str:
        """The text. Raises UndecipherableFact."""
        return self.decrypt_bytes(sealed, context=context).decode()

    def decrypt_bytes(self, sealed: bytes, *, context: str) -> bytes:
        """The bytes. Raises UndecipherableFact."""
        header, nonce = sealed[:_HEADER_BYTES], sealed[_HEADER_BYTES : _HEADER_BYTES + NONCE_BYTES]
        key = self.keys.get(key_number(sealed))
        if key is None or header[:1] != bytes([FORMAT]):
            raise UndecipherableFact("The key of a fact is not in the ring.")
        try:
            return AESGCM(key).decrypt(nonce, sealed[_HEADER_BYTES + NONCE_BYTES :], header + context.encode())
        except (InvalidTag, ValueError) as error:
            raise UndecipherableFact("A fact does not decrypt: it was changed or moved.") from error

    def blind_index(self, key: str, *, context: str) -> bytes:
        """HMAC-SHA256 of a fact's key: equal for equal keys in one context, telling nothing else."""
        return hmac.digest(self.index_key, f"{context}\x00{key}".encode(), hashlib.sha256)


def key_number(sealed: bytes) -> int:
    """Which key of the ring encrypted it."""
    return int.from_bytes(sealed[1:_HEADER_BYTES], "big")
