"""What is sealed in threads, anew under the first key of the ring."""

from __future__ import annotations

from episodes.threads.models import ThreadCheckpoint, ThreadInterrupt, ThreadValue, ThreadWrite
from episodes.threads.sealing import (
    checkpoint_context,
    interrupt_context,
    open_bytes,
    seal_bytes,
    value_context,
    write_context,
)
from knowledge.facts.actions import rotate_rows
from knowledge.facts.core.cipher import KeyRing


def rotate_thread_keys() -> int:
    """How many rows were encrypted anew. Raises FactKeysMissing."""
    return (
        rotate_rows(ThreadCheckpoint.objects.all(), _reseal_checkpoint, ("sealed",))
        + rotate_rows(ThreadValue.objects.all(), _reseal_value, ("sealed",))
        + rotate_rows(ThreadWrite.objects.all(), _reseal_write, ("sealed",))
        + rotate_rows(ThreadInterrupt.objects.all(), _reseal_interrupt, ("sealed", "answer_sealed"))
    )


def _reseal_checkpoint(row: ThreadCheckpoint, ring: KeyRing) -> None:
    row.sealed = _again(ring, row.sealed, checkpoint_context(row.tenant_id, row.checkpoint_id))


def _reseal_value(row: ThreadValue, ring: KeyRing) -> None:
    row.sealed = _again(ring, row.sealed, value_context(row.tenant_id, row.digest))


def _reseal_write(row: ThreadWrite, ring: KeyRing) -> None:
    row.sealed = _again(ring, row.sealed, write_context(row.tenant_id, row.task_id, row.index))


def _reseal_interrupt(row: ThreadInterrupt, ring: KeyRing) -> None:
    row.sealed = _again(ring, row.sealed, interrupt_context(row.tenant_id, row.graph_id, "asked"))
    if row.answer_sealed is not None:
        row.answer_sealed = _again(ring, row.answer_sealed, interrupt_context(row.tenant_id, row.graph_id, "answer"))


def _again(ring: KeyRing, sealed: bytes | memoryview, context: str) -> bytes:
    return seal_bytes(ring, open_bytes(ring, sealed, context=context), context=context)
