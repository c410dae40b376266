"""The installation's key ring, and the contexts in which facts are sealed."""

from __future__ import annotations

from django.conf import settings

from knowledge.errors import FactKeysMissing
from knowledge.facts.core.cipher import KeyRing, UndecipherableFact


def get_key_ring() -> KeyRing:
    """The key ring of the settings. Raises FactKeysMissing."""
    if not settings.FACT_KEYS or not settings.FACT_INDEX_KEY:
        raise FactKeysMissing("FACT_KEYS and FACT_INDEX_KEY are not set, so no facts can be kept or read.")
    return KeyRing(settings.FACT_KEYS, next(iter(settings.FACT_KEYS)), settings.FACT_INDEX_KEY)


def seal_context(*, tenant_id: int, end_user_id: int, type_: str, field: str) -> str:
    """Where a ciphertext belongs: moved to another user, type or column, it does not decrypt."""
    return f"{tenant_id}:{end_user_id}:{type_}:{field}"


def unseal(ring: KeyRing, sealed: bytes, *, context: str) -> str:
    """The text. Raises FactKeysMissing where the ring lacks its key, or it was changed."""
    try:
        return ring.decrypt(sealed, context=context)
    except UndecipherableFact as error:
        raise FactKeysMissing("A fact can't be decrypted with the keys that are set.") from error
