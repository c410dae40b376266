"""Writing facts, notes and documents. Each write is a version with its author; nobody's words are lost in silence."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Literal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from knowledge.notebook.actions.conflicts import note_contradictions, note_overwriting, settle_conflicts
from knowledge.notebook.actions.folders import ensure_folders, list_parents
from knowledge.notebook.actions.passages import build_passages, replace_passages
from knowledge.notebook.actions.proposals import propose
from knowledge.notebook.actions.quotas import check_quota
from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE, Draft, Origin, hash_content, validate_content
from knowledge.notebook.core.importance import rate_importance
from knowledge.notebook.core.names import fold_name, validate_key, validate_path
from knowledge.notebook.errors import EntryVersionRequired, InvalidEntry, InvalidName, NameTaken, StaleEntry
from knowledge.notebook.models import (
    Access,
    EntryState,
    Notebook,
    NotebookConflict,
    NotebookEntry,
    NotebookProposal,
    NotebookVersion,
    VersionOperation,
)
from knowledge.notebook.models.entries import SHOWN_STATES
from knowledge.notebook.selectors.memberships import Seat
from memoryproject.metrics import NOTEBOOK_WRITES

Outcome = Literal["created", "modified", "unchanged", "proposed"]
REST = Origin()
MUST_BE_NEW = "*"


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write."""

    outcome: Outcome
    entry: NotebookEntry | None = None
    version: NotebookVersion | None = None
    proposal: NotebookProposal | None = None
    conflicts: tuple[NotebookConflict, ...] = ()


def write_entry(
    seat: Seat,
    draft: Draft,
    *,
    expected_sha256: str | None = None,
    must_be_new: bool = False,
    needs_version: bool = False,
    origin: Origin = REST,
) -> Written:
    """The entry as it stands now: written, unchanged since it said the same already, or proposed.

    `expected_sha256` is the version that the author has read: another one that stands raises StaleEntry, which names
    both authors. `must_be_new` refuses to replace, `needs_version` refuses to replace unread. A member that only
    proposes, or a new one that would change what others wrote, gets a proposal. Locks the notebook.
    Raises InvalidName, InvalidEntry, NameTaken, NotebookFull, AccessDenied.
    """
    written = _write(
        seat,
        draft,
        expected_sha256=expected_sha256,
        must_be_new=must_be_new,
        needs_version=needs_version,
        origin=origin,
    )
    NOTEBOOK_WRITES.labels(store=draft.kind, outcome=written.outcome).inc()
    return written


def _write(
    seat: Seat,
    draft: Draft,
    *,
    expected_sha256: str | None,
    must_be_new: bool,
    needs_version: bool,
    origin: Origin,
) -> Written:
    seat.require(Access.PROPOSE)
    _validate(draft)
    if not seat.may(Access.WRITE):
        return Written("proposed", proposal=propose(seat, draft, expected_sha256 or "", origin))
    digest = hash_content(draft.content)
    prepared = _build_entry(seat, draft, digest)
    only_for = seat.agent if prepared.state == EntryState.QUARANTINED else ""
    passages = build_passages(prepared, only_for=only_for)
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        entry = _find_same(seat, draft, digest)
        if entry is None:
            if expected_sha256:
                raise StaleEntry(f"{draft.name!r} is not there any more.", current=None, yours=seat.agent)
            written = _create(seat, prepared, origin)
        elif (
            entry.sha256 == digest
            and entry.state != EntryState.ARCHIVED
            and dict(draft.metadata) in ({}, entry.metadata)
        ):
            return Written("unchanged", entry)
        else:
            _check_version(seat, entry, expected_sha256, must_be_new=must_be_new, needs_version=needs_version)
            if not seat.is_trusted and not (entry.state == EntryState.QUARANTINED and entry.author == seat.agent):
                return Written("proposed", proposal=propose(seat, draft, entry.sha256, origin))
            written = _modify(seat, entry, prepared, origin, is_deliberate=expected_sha256 is not None)
        entry = written.entry
        assert entry is not None  # noqa: S101 - of both branches
        replace_passages(entry, passages)
        if entry.kind == NOTE and entry.state == EntryState.LIVE and written.version is not None:
            found = note_contradictions(entry, written.version)
            written = Written(written.outcome, entry, written.version, conflicts=(*written.conflicts, *found))
    return written


def delete_entry(
    seat: Seat, entry: NotebookEntry, *, expected_sha256: str | None = None, origin: Origin = REST
) -> NotebookVersion:
    """The version that says that the entry is deleted; those before it are kept. Raises StaleEntry, AccessDenied."""
    seat.require(Access.WRITE)
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        row = NotebookEntry.objects.select_for_update(no_key=True).get(pk=entry.pk)
        if row.state not in SHOWN_STATES:
            raise StaleEntry(f"{row.name!r} is not there any more.", current=None, yours=seat.agent)
        _check_trust(seat, row)
        if expected_sha256 is not None:
            _check_version(seat, row, expected_sha256)
        settle_conflicts(row, by=seat.agent)
        version = add_version(row, "", seat.agent, origin, VersionOperation.DELETED)
        row.state, row.metadata, row.archived_at, row.is_pinned = EntryState.DELETED, {}, None, False
        row.save()
        replace_passages(row, [])
    return version


def rename_entry(seat: Seat, entry: NotebookEntry, path: str, *, origin: Origin = REST) -> NotebookVersion:
    """The version under the document's new path. Must be called inside the transaction that holds the notebook.

    Raises InvalidName, NameTaken, AccessDenied."""
    seat.require(Access.WRITE)
    _validate(Draft(DOCUMENT, path, ""))
    row = NotebookEntry.objects.select_for_update(no_key=True).get(pk=entry.pk)
    _check_trust(seat, row)
    _check_look(row.notebook_id, DOCUMENT, path, but=row.pk)
    row.name, row.folded_name = path, fold_name(path)
    version = add_version(row, row.content, seat.agent, origin, VersionOperation.RENAMED)
    row.save()
    ensure_folders(seat.notebook, path)
    replace_passages(row, build_passages(row, only_for=row.author if row.state == EntryState.QUARANTINED else ""))
    return version


def add_version(row: NotebookEntry, content: str, author: str, origin: Origin, operation: str) -> NotebookVersion:
    """The next version of a row, which is changed and not saved yet."""
    if row.pk is not None:
        row.version += 1
    row.content, row.sha256, row.author, row.updated_at = content, hash_content(content), author, timezone.now()
    if row.pk is None:
        row.save(force_insert=True)
    return NotebookVersion.objects.create(
        tenant_id=row.tenant_id,
        notebook_id=row.notebook_id,
        entry=row,
        number=row.version,
        operation=operation,
        name=row.name,
        content=content,
        sha256=row.sha256,
        author=author,
        source=origin.source,
        message_id=origin.message_id,
    )


def _validate(draft: Draft) -> None:
    flaw = validate_content(draft)
    if flaw is not None:
        raise InvalidEntry(flaw)
    if draft.kind == NOTE:
        return
    flaw = validate_key(draft.name) if draft.kind == FACT else validate_path(draft.name)
    if flaw is not None:
        raise InvalidName(flaw)


def _build_entry(seat: Seat, draft: Draft, digest: str) -> NotebookEntry:
    name = draft.name or uuid.uuid4().hex[:16]
    importance = rate_importance(draft.kind, f"{draft.name} {draft.content}")
    return NotebookEntry(
        tenant_id=seat.notebook.tenant_id,
        notebook=seat.notebook,
        kind=draft.kind,
        name=name,
        folded_name=fold_name(name),
        content=draft.content,
        sha256=digest,
        metadata=dict(draft.metadata),
        state=EntryState.LIVE if seat.is_trusted else EntryState.QUARANTINED,
        author=seat.agent,
        importance=importance.value,
        importance_reason=importance.reason,
    )


def _find_same(seat: Seat, draft: Draft, digest: str) -> NotebookEntry | None:
    """The entry that the draft is about, locked: by name, or a note by its id or by its words."""
    rows = NotebookEntry.objects.select_for_update(no_key=True).filter(
        notebook=seat.notebook, kind=draft.kind, state__in=SHOWN_STATES
    )
    if draft.kind == NOTE and not draft.name:
        return rows.filter(sha256=digest).first()
    row = rows.filter(name=draft.name).first()
    if draft.kind == NOTE:
        twin = rows.filter(sha256=digest).exclude(name=draft.name).first()
        if twin is not None:
            raise NameTaken(f"The note {twin.name} says the same.")
    return row


def _check_look(notebook_id: int, kind: str, name: str, *, but: int | None = None) -> None:
    """Raises NameTaken for a name that looks like one that stands, or for a path that runs through a document."""
    rows = NotebookEntry.objects.filter(notebook_id=notebook_id, kind=kind, state__in=SHOWN_STATES)
    rows = rows if but is None else rows.exclude(pk=but)
    twin = rows.filter(folded_name=fold_name(name)).first()
    if twin is not None:
        raise NameTaken(f"{name!r} looks the same as {twin.name!r}, which is there.", existing=twin.name)
    if kind == DOCUMENT:
        parents = [fold_name(each) for each in list_parents(name)]
        if rows.filter(Q(folded_name__in=parents) | Q(folded_name__startswith=f"{fold_name(name)}/")).exists():
            raise NameTaken(f"{name!r} would be a folder and a document at once.")


def _create(seat: Seat, row: NotebookEntry, origin: Origin) -> Written:
    if row.kind != NOTE:
        _check_look(row.notebook_id, row.kind, row.name)
    check_quota(seat, row.kind)
    if row.kind == DOCUMENT:
        ensure_folders(seat.notebook, row.name)
    version = add_version(row, row.content, seat.agent, origin, VersionOperation.CREATED)
    return Written("created", row, version)


def _modify(seat: Seat, row: NotebookEntry, wanted: NotebookEntry, origin: Origin, *, is_deliberate: bool) -> Written:
    before = NotebookVersion.objects.get(entry=row, number=row.version)
    version = add_version(row, wanted.content, seat.agent, origin, VersionOperation.MODIFIED)
    row.metadata = wanted.metadata or row.metadata
    row.importance, row.importance_reason = wanted.importance, wanted.importance_reason
    if row.state == EntryState.ARCHIVED or (row.state == EntryState.QUARANTINED and seat.is_trusted):
        row.state, row.archived_at = EntryState.LIVE, None
    row.save()
    settle_conflicts(row, by=seat.agent)
    conflicts: tuple[NotebookConflict, ...] = ()
    if row.kind == FACT and not is_deliberate and before.author != seat.agent and before.redacted_at is None:
        conflicts = (note_overwriting(row, before, version),)
    return Written("modified", row, version, conflicts=conflicts)


def _check_version(
    seat: Seat,
    row: NotebookEntry,
    expected: str | None,
    *,
    must_be_new: bool = False,
    needs_version: bool = False,
) -> None:
    told: dict[str, Any] = {
        "current": {
            "version": row.version,
            "sha256": row.sha256,
            "author": row.author,
            "updated_at": row.updated_at.isoformat(),
        },
        "yours": seat.agent,
    }
    if must_be_new:
        raise NameTaken(f"{row.name!r} is there.", **told)
    if expected is not None and expected != row.sha256:
        raise StaleEntry(
            f"{row.author!r} wrote version {row.version} of {row.name!r}; {seat.agent!r} had read another.", **told
        )
    if expected is None and needs_version:
        raise EntryVersionRequired(
            f"{row.name!r} is there, version {row.version} by {row.author!r}: send If-Match.", **told
        )


def _check_trust(seat: Seat, row: NotebookEntry) -> None:
    """A new member takes away or renames only what it wrote itself and nobody approved. Raises AccessDenied."""
    if not seat.is_trusted and not (row.state == EntryState.QUARANTINED and row.author == seat.agent):
        seat.require(Access.MANAGE)
