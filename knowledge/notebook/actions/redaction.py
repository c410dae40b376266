"""Redaction: the words of versions go, their places stay, and a receipt says how many."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction
from django.utils import timezone

from knowledge.notebook.actions.passages import remove_passages
from knowledge.notebook.errors import UnknownEntry
from knowledge.notebook.models import (
    Access,
    ConflictState,
    EntryState,
    Notebook,
    NotebookConflict,
    NotebookEntry,
    NotebookProposal,
    NotebookReceipt,
    NotebookVersion,
    ReceiptKind,
)
from knowledge.notebook.models.guards import REDACTION_SETTING
from knowledge.notebook.selectors.memberships import Seat
from tenancy.models import IdempotencyRecord


def redact_entry(seat: Seat, entry: NotebookEntry, *, number: int | None = None) -> NotebookReceipt:
    """The receipt: one version of an entry, or all, lost its words; so did what was proposed in the same words.

    Redacting the present version takes the entry out of the notebook. Raises AccessDenied, UnknownEntry.
    """
    seat.require(Access.MANAGE)
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        versions = NotebookVersion.objects.filter(entry=entry)
        if number is not None:
            versions = versions.filter(number=number)
            if not versions.exists():
                raise UnknownEntry(f"The entry has no version {number}.")
        counts = redact_versions(seat.notebook, list(versions.values_list("pk", flat=True)), by=seat.agent)
        return write_receipt(seat.notebook, ReceiptKind.REDACTION, counts, by=seat.agent)


def redact_versions(notebook: Notebook, version_ids: Sequence[int], *, by: str) -> dict[str, int]:
    """What was taken away. Must be called inside a transaction that holds the notebook."""
    rows = list(NotebookVersion.objects.select_related("entry").filter(pk__in=version_ids, redacted_at__isnull=True))
    texts = {row.content for row in rows if row.content}
    digests = {row.sha256 for row in rows if row.content}
    entry_ids = {row.entry_id for row in rows}
    present = [row.entry for row in rows if row.number == row.entry.version]
    same = NotebookProposal.objects.filter(notebook=notebook, content__in=texts)
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {REDACTION_SETTING} = 'on'")
        now = timezone.now()
        for row in rows:
            NotebookVersion.objects.filter(pk=row.pk).update(
                content=None, name=None, sha256="", redacted_at=now, redacted_by=by
            )
        for entry in present:
            NotebookEntry.objects.filter(pk=entry.pk).update(
                state=EntryState.REDACTED,
                name=f"redacted-{entry.pk}",
                folded_name=f"redacted-{entry.pk}",
                content="",
                sha256="",
                metadata={},
                archived_at=None,
                is_pinned=False,
            )
        cursor.execute(f"SET LOCAL {REDACTION_SETTING} = 'off'")
    conflicts = NotebookConflict.objects.filter(older__in=version_ids) | NotebookConflict.objects.filter(
        newer__in=version_ids
    )
    counts = {
        "versions": len(rows),
        "entries": len(present),
        "passages": remove_passages([entry.pk for entry in present]),
        "proposals": same.update(content="", name="", metadata={}),
        "stored_answers": _clear_answers(notebook.tenant_id, entry_ids, digests),
    }
    conflicts.filter(state=ConflictState.OPEN).update(
        state=ConflictState.RESOLVED, resolution="changed", resolved_by=by, resolved_at=timezone.now(), says=""
    )
    conflicts.exclude(says="").update(says="")
    return counts


def write_receipt(notebook: Notebook, kind: str, counts: dict[str, int], *, by: str) -> NotebookReceipt:
    """The receipt of what was taken away."""
    return NotebookReceipt.objects.create(
        tenant_id=notebook.tenant_id,
        world_id=notebook.world_id,
        notebook_ref=notebook.pk,
        kind=kind,
        counts=counts,
        requested_by=by,
    )


def _clear_answers(tenant_id: int, entry_ids: set[int], digests: set[str]) -> int:
    """How many stored answers of idempotent writes told of these entries: they are as if they had not been stored."""
    rows = IdempotencyRecord.objects.filter(tenant_id=tenant_id, method_and_path__contains="/api/v1/notebooks/")
    told = [
        row.pk
        for row in rows.only("pk", "response")
        if row.response.get("entry_id") in entry_ids or row.response.get("sha256") in digests
    ]
    return IdempotencyRecord.objects.filter(pk__in=told).delete()[0]
