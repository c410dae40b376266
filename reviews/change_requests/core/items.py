"""A fingerprint of what a change request would do, to pin an approval to what was read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """What one item does, as far as an approval is about it."""

    item_id: int
    operation: str
    document_id: int | None
    base_revision_id: int | None
    slug: str
    content: Mapping[str, Any]


def hash_items(items: Iterable[ItemFacts]) -> str:
    """A hex SHA-256 over all items, whatever order they come in."""
    digest = hashlib.sha256()
    for item in sorted(items, key=lambda each: each.item_id):
        line = json.dumps(
            [item.item_id, item.operation, item.document_id, item.base_revision_id, item.slug, item.content],
            ensure_ascii=False,
            sort_keys=True,
            separators=(",", ":"),
        )
        digest.update(line.encode("utf-8", "surrogatepass"))
        digest.update(b"\n")
    return digest.hexdigest()
