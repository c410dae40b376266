"""The words of traces, compressed and sealed with the keys of facts: facts about players stand among them."""

from __future__ import annotations

import base64
import json
import uuid
import zlib
from typing import Any

from knowledge.facts.sealing import get_key_ring, unseal


def seal_texts(texts: dict[str, Any], *, tenant_id: int, trace_id: uuid.UUID) -> bytes:
    """The texts as they are stored. Raises FactKeysMissing."""
    packed = zlib.compress(json.dumps(texts, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return get_key_ring().encrypt(base64.b64encode(packed).decode(), context=_context(tenant_id, trace_id))


def open_texts(sealed: bytes, *, tenant_id: int, trace_id: uuid.UUID) -> dict[str, Any]:
    """The texts. Raises FactKeysMissing."""
    packed = base64.b64decode(unseal(get_key_ring(), sealed, context=_context(tenant_id, trace_id)))
    texts: dict[str, Any] = json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass"))
    return texts


def _context(tenant_id: int, trace_id: uuid.UUID) -> str:
    """Where the words belong: moved to another trace or tenant, they do not open."""
    return f"{tenant_id}:trace:{trace_id}"
