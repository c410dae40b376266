"""Keys by which the facts about players are encrypted."""

import base64
import binascii
import hashlib

from django.core.exceptions import ImproperlyConfigured

from memoryproject.environment import read_list, read_text
from memoryproject.settings.base import DATA_DIR
from memoryproject.settings.security import PRODUCTION, load_or_create_secret_key

KEY_BYTES = 32
MAX_KEY_ID = 32_767


def decode_key(name: str, text: str) -> bytes:
    """A key of 32 bytes from base64."""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ImproperlyConfigured(f"{name} must hold keys in base64.") from error
    if len(key) != KEY_BYTES:
        raise ImproperlyConfigured(f"{name} must hold keys of {KEY_BYTES} bytes in base64, not of {len(key)}.")
    return key


def parse_key_ring(items: list[str]) -> dict[int, bytes]:
    """Keys by their numbers from `number:base64`; the first one encrypts, the others still decrypt."""
    ring: dict[int, bytes] = {}
    for item in items:
        number, _, text = item.partition(":")
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= MAX_KEY_ID):
            raise ImproperlyConfigured("FACT_KEYS must list number:base64, with numbers from 1 to 32767.")
        if int(number) in ring:
            raise ImproperlyConfigured(f"FACT_KEYS lists the number {int(number)} twice.")
        ring[int(number)] = decode_key("FACT_KEYS", text)
    return ring


def read_key_ring() -> dict[int, bytes]:
    """``FACT_KEYS``, or outside production a key of the data directory; none in production."""
    ring = parse_key_ring(read_list("FACT_KEYS"))
    if ring or PRODUCTION:
        return ring
    return {1: hashlib.sha256(load_or_create_secret_key(DATA_DIR / "fact_key").encode()).digest()}


def read_index_key() -> bytes:
    """``FACT_INDEX_KEY``, or outside production one of the data directory; empty in production."""
    text = read_text("FACT_INDEX_KEY")
    if text:
        return decode_key("FACT_INDEX_KEY", text)
    if PRODUCTION:
        return b""
    return hashlib.sha256(load_or_create_secret_key(DATA_DIR / "fact_index_key").encode()).digest()


FACT_KEYS = read_key_ring()
FACT_INDEX_KEY = read_index_key()
