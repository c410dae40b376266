"""A checkpoint as it is stored: measured, hashed, compressed and sealed, before any row is locked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from psycopg.types.json import Jsonb

from episodes.threads.core.drafts import STATE_COLUMNS, CheckpointDraft
from episodes.threads.core.values import EMPTY, dump_json
from episodes.threads.errors import StateTooLarge
from episodes.threads.sealing import (
    build_tokens,
    checkpoint_context,
    digest_document,
    digest_value,
    seal_bytes,
    seal_document,
    value_context,
)
from knowledge.facts.core.cipher import KeyRing

COLUMNS = "step, source, run_id, delta_channels, sealed, sealed_by, tokens, fingerprint, size"
"""What depends on nothing that is stored."""
TYPES = "int4, text, text, jsonb, bytea, int2, jsonb, bytea, int4"


@dataclass(frozen=True, slots=True)
class SealedCheckpoint:
    """A checkpoint as it is stored, but for what depends on its thread."""

    draft: CheckpointDraft
    body: bytes
    key: int
    """Of the ring."""
    tokens: list[str]
    fingerprint: bytes
    size: int
    digests: Mapping[str, str | None]
    """Channel that was sent to the digest of its value, None for no value."""
    values: Sequence[tuple[str, str, bytes, int, int]]
    """Digest, serializer, sealed bytes, key, size."""

    def list_values(self) -> list[list[Any]]:
        """The values by column."""
        return [list(column) for column in zip(*self.values, strict=True)] or [[], [], [], [], []]

    def list_columns(self) -> list[Any]:
        """The values of `COLUMNS`."""
        draft = self.draft
        return [
            *(draft.step, draft.read_text("source")[:40], draft.read_text("run_id")[:200]),
            *(Jsonb(draft.delta_channels), self.body, self.key, Jsonb(self.tokens), self.fingerprint, self.size),
        ]


def seal_checkpoint(ring: KeyRing, tenant_id: int, draft: CheckpointDraft) -> SealedCheckpoint:
    """Raises StateTooLarge."""
    body = {"checkpoint": draft.checkpoint, "metadata": draft.metadata}
    size = len(dump_json(body))
    sizes = {name: len(value.data) for name, value in draft.values.items()}
    check_size(list(sizes.values()), whole=size)
    digests: dict[str, str | None] = {}
    values: dict[str, tuple[str, str, bytes, int, int]] = {}
    for channel, value in draft.values.items():
        digests[channel] = digest = None if value.type == EMPTY else digest_value(ring, tenant_id, value)
        if digest is not None and digest not in values:
            sealed = seal_bytes(ring, value.data, context=value_context(tenant_id, digest))
            values[digest] = (digest, value.type, sealed, ring.primary, len(value.data))
    searched = {name: value for name, value in draft.metadata.items() if name not in STATE_COLUMNS}
    place = [draft.ns, draft.parent_id, body, digests]
    return SealedCheckpoint(
        draft=draft,
        body=seal_document(ring, body, context=checkpoint_context(tenant_id, draft.checkpoint_id)),
        key=ring.primary,
        tokens=build_tokens(ring, tenant_id, searched),
        fingerprint=digest_document(ring, tenant_id, place),
        size=size + sum(sizes.values()),
        digests=digests,
        values=list(values.values()),
    )


def check_size(sizes: Sequence[int], *, whole: int = 0) -> None:
    """Raises StateTooLarge for a value over the limit, or for all of them together with `whole` over twice that."""
    limit = settings.THREAD_MAX_VALUE_BYTES
    largest = max(sizes, default=0)
    if largest > limit:
        raise StateTooLarge(f"A value has {largest} bytes; at most {limit} are kept.", max_bytes=limit)
    total = sum(sizes) + whole
    if total > 2 * limit:
        raise StateTooLarge(
            f"What was sent has {total} bytes; at most {2 * limit} are kept at once.", max_bytes=2 * limit
        )
