"""What stands in threads, compressed and sealed with the keys of facts: it holds what players say."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from episodes.threads.core.values import StateValue, dump_json
from episodes.threads.models import ThreadInterrupt
from knowledge.errors import FactKeysMissing
from knowledge.facts.core.cipher import KeyRing, UndecipherableFact

MIN_COMPRESSED_BYTES = 120
"""What is shorter grows by compression."""
_PLAIN, _COMPRESSED = b"\x00", b"\x01"


def seal_bytes(ring: KeyRing, data: bytes, *, context: str) -> bytes:
    """The bytes as they are stored."""
    packed = zlib.compress(data, 6) if len(data) >= MIN_COMPRESSED_BYTES else data
    marked = _COMPRESSED + packed if len(packed) < len(data) else _PLAIN + data
    return ring.encrypt_bytes(marked, context=context)


def open_bytes(ring: KeyRing, sealed: bytes | memoryview, *, context: str) -> bytes:
    """The bytes. Raises FactKeysMissing where the ring lacks the key, or they were changed or moved."""
    try:
        marked = ring.decrypt_bytes(bytes(sealed), context=context)
    except UndecipherableFact as error:
        raise FactKeysMissing("The state of a thread can't be decrypted with the keys that are set.") from error
    return zlib.decompress(marked[1:]) if marked[:1] == _COMPRESSED else marked[1:]


def seal_document(ring: KeyRing, document: Any, *, context: str) -> bytes:
    """A JSON value as it is stored."""
    return seal_bytes(ring, dump_json(document), context=context)


def open_document(ring: KeyRing, sealed: bytes | memoryview, *, context: str) -> Any:
    """The JSON value. Raises FactKeysMissing."""
    return json.loads(open_bytes(ring, sealed, context=context).decode("utf-8", "surrogatepass"))


def digest_value(ring: KeyRing, tenant_id: int, value: StateValue) -> str:
    """Equal for equal values of a tenant, telling nothing else: 32 hexadecimal digits."""
    return ring.blind_index(value.data.hex(), context=f"{tenant_id}:thread-value:{value.type}").hex()[:32]


def digest_document(ring: KeyRing, tenant_id: int, document: Any) -> bytes:
    """Equal for equal JSON values of a tenant, whatever the order of members."""
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return ring.blind_index(canonical, context=f"{tenant_id}:thread-document")


def build_tokens(ring: KeyRing, tenant_id: int, metadata: Mapping[str, Any]) -> list[str]:
    """Blind indexes of the metadata's members that filters can name: texts, numbers and the like."""
    return [
        digest_document(ring, tenant_id, [name, value])[:8].hex()
        for name, value in metadata.items()
        if value is None or isinstance(value, str | int | float | bool)
    ]


def checkpoint_context(tenant_id: int, checkpoint_id: str) -> str:
    """Where the words of a checkpoint belong: in a copy of the thread, too, but to no other tenant."""
    return f"{tenant_id}:thread-checkpoint:{checkpoint_id}"


def value_context(tenant_id: int, digest: str) -> str:
    """Where a value belongs."""
    return f"{tenant_id}:thread-value:{digest}"


def write_context(tenant_id: int, task_id: str, index: int) -> str:
    """Where a write belongs."""
    return f"{tenant_id}:thread-write:{index}:{task_id}"


def interrupt_context(tenant_id: int, graph_id: str, part: str) -> str:
    """Where what is asked, or answered, belongs."""
    return f"{tenant_id}:thread-interrupt:{part}:{graph_id}"


def open_asked(ring: KeyRing, row: ThreadInterrupt) -> dict[str, Any]:
    """`value` and `schema` of what is asked. Raises FactKeysMissing."""
    context = interrupt_context(row.tenant_id, row.graph_id, "asked")
    asked: dict[str, Any] = open_document(ring, row.sealed, context=context)
    return asked


def open_answer(ring: KeyRing, row: ThreadInterrupt) -> dict[str, Any]:
    """`value` of the answer, or the `reason` of a rejection; empty while it is open. Raises FactKeysMissing."""
    if row.answer_sealed is None:
        return {}
    context = interrupt_context(row.tenant_id, row.graph_id, "answer")
    answer: dict[str, Any] = open_document(ring, row.answer_sealed, context=context)
    return answer
