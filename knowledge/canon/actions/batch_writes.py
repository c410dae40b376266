"""One batch of a build, written in one short transaction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.db import connection, transaction
from django.db.models.functions import Now

from knowledge.canon.actions.batches import BatchPlan, PlannedPassage
from knowledge.canon.actions.locks import lock_release
from knowledge.canon.actions.release_rows import write_release_rows
from knowledge.canon.actions.undo import check_building
from knowledge.canon.core.binary_rows import (
    HEADER,
    TRAILER,
    encode_halfvec,
    encode_int4,
    encode_int8,
    encode_int8_array,
    encode_row,
    encode_varchar_array,
)
from knowledge.canon.models import EditState, LoreChunk, LorePassage, Publication, Release, ReleaseEdit
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"


def write_batch(release_id: int, plan: BatchPlan) -> Release | None:
    """The release with the batch in it; None when another builder has written any of it meanwhile.

    Locks the release, then the edits. Raises ReleaseNotReady when the release is no longer being built.
    """
    with transaction.atomic():
        release = lock_release(release_id)
        check_building(release)
        pending = ReleaseEdit.objects.select_for_update(no_key=True).filter(
            pk__in=plan.edit_ids, state=EditState.PENDING
        )
        if len(pending.order_by("pk").values_list("pk", flat=True)) != len(plan.edit_ids):
            return None
        _close_passages(release, plan.closed_passage_ids)
        Publication.objects.bulk_create(plan.publications)
        write_release_rows(release, plan.publications)
        LoreChunk.objects.bulk_create(plan.chunks)
        copy_passages(release, plan.passages)
        _add_lexeme_counts(release, plan)
        ReleaseEdit.objects.filter(pk__in=plan.edit_ids).update(state=EditState.DONE)
        release.edits_done += len(plan.edit_ids)
        release.attempts = 0
        release.heartbeat_at = Now()
        release.save(update_fields=["edits_done", "attempts", "heartbeat_at"])
    return release


def copy_passages(release: Release, passages: Sequence[PlannedPassage]) -> None:
    """Write passages by binary COPY; their chunks must have been saved."""
    if not passages:
        return
    with connection.cursor() as cursor, cursor.copy(read_query(SQL / "copy_passages.sql")) as copy:
        copy.write(HEADER)
        for passage in passages:
            copy.write(_encode_passage(release, passage))
        copy.write(TRAILER)


def _encode_passage(release: Release, passage: PlannedPassage) -> bytes:
    revision = passage.revision
    return encode_row(
        (
            encode_int8(release.tenant_id),
            encode_int8(release.domain_index_id),
            encode_int8(release.vector_space_id),
            encode_int8(revision.document_id),
            encode_int8(passage.chunk.pk),
            revision.language.encode(),
            revision.type.encode(),
            encode_varchar_array(revision.audience),
            encode_varchar_array(revision.tags),
            encode_int4(passage.indexed.length),
            encode_int8_array(passage.indexed.lexemes),
            passage.indexed.bm25.to_binary(),
            None if passage.vector is None else encode_halfvec(passage.vector),
            passage.embedding_hash,
            str(passage.embedding_state).encode(),
            passage.refusal.encode(),
            encode_int4(release.number),
        )
    )


def _close_passages(release: Release, passage_ids: Sequence[int]) -> None:
    """Rows that this release itself made have been live nowhere and go; the others end with it."""
    if not passage_ids:
        return
    rows = LorePassage.objects.filter(pk__in=passage_ids)
    rows.filter(added_in=release.number).delete()
    rows.update(removed_in=release.number)


def _add_lexeme_counts(release: Release, plan: BatchPlan) -> None:
    changes = sorted((lexeme, delta) for lexeme, delta in plan.lexeme_deltas.items() if delta)
    if not changes:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(SQL / "add_lexeme_counts.sql"),
            {
                "tenant_id": release.tenant_id,
                "domain_index_id": release.domain_index_id,
                "number": release.number,
                "lexemes": [lexeme for lexeme, _ in changes],
                "deltas": [delta for _, delta in changes],
            },
        )
