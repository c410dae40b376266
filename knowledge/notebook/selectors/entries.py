"""Facts, notes and documents as a member may see them, and their versions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from knowledge.notebook.errors import UnknownEntry
from knowledge.notebook.models import (
    Access,
    EntryState,
    NotebookCommand,
    NotebookConflict,
    NotebookEntry,
    NotebookFolder,
    NotebookProposal,
    NotebookVersion,
)
from knowledge.notebook.models.entries import SHOWN_STATES
from knowledge.notebook.selectors.memberships import Seat, find_seat
from memoryproject.prepared import fetch_prepared

_READ = """
    SELECT {columns} FROM knowledge_notebookentry WHERE id = (
        SELECT e.id FROM knowledge_notebook n
        JOIN knowledge_notebookmember m ON m.notebook_id = n.id
        JOIN knowledge_notebookentry e ON e.notebook_id = n.id
        WHERE n.tenant_id = %s AND n.slug = %s AND n.{world}
            AND m.tenant_id = n.tenant_id AND m.agent = %s AND m.api_key_id = %s
            AND e.tenant_id = n.tenant_id AND e.kind = %s AND e.name = %s
            AND (
                e.state IN ('live', 'archived')
                OR e.state = 'quarantined' AND (e.author = m.agent OR m.is_trusted AND m.access IN ('write', 'manage'))
            )
        ORDER BY e.id LIMIT 1
    )
"""
"""An entry as a member sees it: the rule of `filter_visible`, archived ones included.

By `notebook_slug_unique`, `notebook_member_unique` and `notebook_entry_by_name`."""
_READ_IN_WORLD = _READ.replace("{world}", "world_id = %s")
_READ_IN_NONE = _READ.replace("{world}", "world_id IS NULL AND %s::int8 IS NULL")
USE_INTERVAL = dt.timedelta(hours=1)
"""Several reads within an hour are one use: a loop does not make an entry indispensable, nor every read a write."""


def filter_visible(seat: Seat, *, with_archived: bool = False) -> QuerySet[NotebookEntry]:
    """What stands in the notebook for this member: quarantined entries of others only for who may decide on them."""
    states = Q(state=EntryState.LIVE)
    if with_archived:
        states |= Q(state=EntryState.ARCHIVED)
    if seat.may(Access.WRITE) and seat.is_trusted:
        states |= Q(state=EntryState.QUARANTINED)
    else:
        states |= Q(state=EntryState.QUARANTINED, author=seat.agent)
    return NotebookEntry.objects.filter(states, tenant_id=seat.notebook.tenant_id, notebook_id=seat.notebook.pk)


def find_entry(seat: Seat, kind: str, name: str, *, with_archived: bool = True) -> NotebookEntry | None:
    """The entry of that name; None without one. One query."""
    return filter_visible(seat, with_archived=with_archived).filter(kind=kind, name=name).first()


def read_entry(
    *, tenant_id: int, world_id: int | None, slug: str, agent: str, api_key_id: int, kind: str, name: str
) -> NotebookEntry:
    """What `get_entry` finds at the seat that `find_seat` finds, in one query where there is such an entry.

    Raises UnknownNotebook, UnknownEntry.
    """
    query = _READ_IN_NONE if world_id is None else _READ_IN_WORLD
    found = fetch_prepared(NotebookEntry, query, [tenant_id, slug, world_id, agent, api_key_id, kind, name])
    if found:
        return found[0]
    seat = find_seat(tenant_id=tenant_id, world_id=world_id, slug=slug, agent=agent, api_key_id=api_key_id)
    return get_entry(seat, kind, name)


def get_entry(seat: Seat, kind: str, name: str) -> NotebookEntry:
    """The entry of that name. One query. Raises UnknownEntry."""
    found = find_entry(seat, kind, name)
    if found is None:
        raise UnknownEntry(f"The notebook has no {kind} {name[:120]!r}.")
    return found


def get_entry_by_id(seat: Seat, entry_id: int) -> NotebookEntry:
    """The entry, deleted and redacted ones included for who manages the notebook. Raises UnknownEntry."""
    found = filter_visible(seat, with_archived=True).filter(pk=entry_id).first()
    if found is None and seat.may(Access.MANAGE):
        found = NotebookEntry.objects.filter(notebook_id=seat.notebook.pk, pk=entry_id).first()
    if found is None:
        raise UnknownEntry(f"The notebook has no entry {entry_id}.")
    return found


def list_entries(
    seat: Seat, kind: str, *, with_archived: bool = False, folder: str = "", after: int = 0, limit: int = 50
) -> list[NotebookEntry]:
    """Entries of a kind in the order in which they came, from the one after `after`."""
    rows = filter_visible(seat, with_archived=with_archived).filter(kind=kind, pk__gt=after)
    if folder:
        rows = rows.filter(name__startswith=f"{folder}/")
    return list(rows.order_by("pk")[:limit])


def list_folders(seat: Seat) -> list[str]:
    """The folders of the notebook, by path."""
    return list(
        NotebookFolder.objects.filter(notebook_id=seat.notebook.pk).order_by("path").values_list("path", flat=True)
    )


def list_versions(
    entry: NotebookEntry, *, before: int | None = None, as_of: dt.datetime | None = None, limit: int = 50
) -> list[NotebookVersion]:
    """The versions of an entry, newest first; with `as_of` those that were there then, the first of them held."""
    rows = NotebookVersion.objects.filter(entry=entry)
    if as_of is not None:
        rows = rows.filter(created_at__lte=as_of)
    if before is not None:
        rows = rows.filter(number__lt=before)
    return list(rows.order_by("-number")[:limit])


def find_source_messages(entries: Sequence[NotebookEntry]) -> dict[int, int]:
    """Entry to the message of a player that its present words rest on, for those that rest on one. One query."""
    if not entries:
        return {}
    rows = NotebookVersion.objects.filter(
        entry_id__in=[row.pk for row in entries], number=F("entry__version"), message_id__isnull=False
    )
    return {entry_id: message_id for entry_id, message_id in rows.values_list("entry_id", "message_id") if message_id}


def find_version_at(entry: NotebookEntry, moment: dt.datetime) -> NotebookVersion | None:
    """The version that held at a time; None before the first."""
    return NotebookVersion.objects.filter(entry=entry, created_at__lte=moment).order_by("-number").first()


def list_conflicts(
    seat: Seat, *, state: str = "", before: int | None = None, limit: int = 50
) -> list[NotebookConflict]:
    """Conflicts with both sides, newest first."""
    rows = NotebookConflict.objects.filter(notebook_id=seat.notebook.pk).select_related("entry", "older", "newer")
    if state:
        rows = rows.filter(state=state)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return list(rows.order_by("-pk")[:limit])


def list_proposals(
    seat: Seat, *, state: str = "", before: int | None = None, limit: int = 50
) -> list[NotebookProposal]:
    """Proposals, newest first; of others only for who may decide on them."""
    rows = NotebookProposal.objects.filter(notebook_id=seat.notebook.pk)
    if not seat.may(Access.WRITE):
        rows = rows.filter(author=seat.agent)
    if state:
        rows = rows.filter(state=state)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return list(rows.order_by("-pk")[:limit])


def list_commands(seat: Seat, *, before: int | None = None, limit: int = 50) -> list[NotebookCommand]:
    """The ledger of commands, newest first."""
    rows = NotebookCommand.objects.filter(notebook_id=seat.notebook.pk).select_related("version__entry", "proposal")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return list(rows.order_by("-pk")[:limit])


def count_entries(seat: Seat) -> dict[str, int]:
    """Kind to the number of entries that the member sees."""
    rows = filter_visible(seat).values_list("kind").annotate(count=Count("pk")).order_by()
    return {"fact": 0, "note": 0, "document": 0, **dict(rows)}


def count_open(seat: Seat) -> tuple[int, int]:
    """Open conflicts, and proposals that wait."""
    conflicts = NotebookConflict.objects.filter(notebook_id=seat.notebook.pk, state="open").count()
    return conflicts, NotebookProposal.objects.filter(notebook_id=seat.notebook.pk, state="pending").count()


def note_use(entries: Sequence[NotebookEntry]) -> None:
    """What was read is in use: it is archived later. One statement, and none for what was just used."""
    now = timezone.now()
    due = [row.pk for row in entries if row.last_used_at is None or row.last_used_at < now - USE_INTERVAL]
    if due:
        NotebookEntry.objects.filter(pk__in=due, state__in=SHOWN_STATES).update(uses=F("uses") + 1, last_used_at=now)
