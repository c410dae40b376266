"""Releases of a domain, what changed between two of them, and a document's way through them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from knowledge.canon.models import Alias, DomainIndex, LivePeriod, Publication, Release
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.documents import Audience
from knowledge.canon.selectors.views import SUMMARY_FIELDS, DocumentSummary, summarise
from knowledge.config import get_domain_settings
from knowledge.errors import UnknownRelease

MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class ReleaseView:
    """A release as lists show it."""

    release_id: int
    number: int
    base_number: int | None
    state: str
    title: str
    aliases: tuple[str, ...]
    gate_state: str
    gate_reason: str
    rebuild: bool
    edits_total: int
    edits_done: int
    passage_count: int
    document_count: int
    embedder: str
    dims: int
    error: str
    created_at: datetime
    heartbeat_at: datetime | None
    staged_at: datetime | None
    published_at: datetime | None
    live_since: datetime | None
    """When it last went live; None if it never did."""
    live_until: datetime | None
    """When that ended; None while it is live."""
    ended_how: str
    """`swapped` or `rolled_back`; empty while it is live."""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """What became of one document between two releases."""

    kind: Literal["added", "changed", "removed"]
    before: DocumentSummary | None
    after: DocumentSummary | None

    @property
    def slug(self) -> str:
        """The slug after the change, or the last one."""
        summary = self.after or self.before
        return summary.slug if summary else ""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A stretch of releases in which one revision was the document."""

    document: DocumentSummary
    removed_in: int | None
    """The release that ended it; None while it is open."""
    created_at: datetime
    """When the revision was made."""


def list_releases(*, world_id: int, domain: str, before: int | None = None, limit: int = 50) -> tuple[ReleaseView, ...]:
    """The releases of a domain, newest first; none where the world has none. Three queries. Raises UnknownDomain."""
    get_domain_settings(domain)
    index = DomainIndex.objects.filter(world_id=world_id, domain=domain).first()
    if index is None:
        return ()
    rows = _with_period(Release.objects.filter(domain_index=index)).select_related("vector_space").order_by("-number")
    if before is not None:
        rows = rows.filter(number__lt=before)
    aliases: dict[int, list[str]] = {}
    for release_id, name in Alias.objects.filter(domain_index=index).order_by("name").values_list("release_id", "name"):
        aliases.setdefault(release_id, []).append(name)
    return tuple(_describe(row, aliases.get(row.pk, [])) for row in rows[: max(1, min(limit, MAX_LISTED))])


def get_release(*, domain_index_id: int, number: int) -> ReleaseView:
    """One release of a domain, whatever its state. Raises UnknownRelease."""
    rows = _with_period(Release.objects.filter(domain_index_id=domain_index_id, number=number))
    row = rows.select_related("vector_space").first()
    if row is None:
        raise UnknownRelease(f"There is no release {number}.")
    return _describe(row, list(row.aliases.order_by("name").values_list("name", flat=True)))


def diff_releases(*, domain_index_id: int, before: int | None, after: int) -> tuple[DocumentChange, ...]:
    """What changed from one release (None: nothing at all) to another, by slug. Two queries. For editors only."""
    rows = Publication.objects.filter(domain_index_id=domain_index_id)
    old = _by_document(rows.filter(live_in(before or 0) & ~live_in(after)))
    new = _by_document(rows.filter(live_in(after) & ~live_in(before or 0)))
    changes = []
    for document_id in old.keys() | new.keys():
        was, is_now = old.get(document_id), new.get(document_id)
        if was is None:
            changes.append(DocumentChange("added", None, is_now))
        elif is_now is None:
            changes.append(DocumentChange("removed", was, None))
        elif was.revision_id != is_now.revision_id:
            changes.append(DocumentChange("changed", was, is_now))
    return tuple(sorted(changes, key=lambda change: change.slug))


def list_history(*, domain_index_id: int, document_id: int, audience: Audience = None) -> tuple[HistoryEntry, ...]:
    """The revisions of a document that were ever in a release, newest first. One query."""
    rows = Publication.objects.filter(domain_index_id=domain_index_id, document_id=document_id)
    if audience is not None:
        rows = rows.filter(audience__overlap=list(audience))
    rows = rows.select_related("revision").only(*SUMMARY_FIELDS, "removed_in", "revision__created_at")
    return tuple(
        HistoryEntry(summarise(row), row.removed_in, row.revision.created_at) for row in rows.order_by("-added_in")
    )


def _by_document(rows: QuerySet[Publication]) -> dict[int, DocumentSummary]:
    loaded = rows.select_related("revision").only(*SUMMARY_FIELDS)
    return {row.document_id: summarise(row) for row in loaded}


def _with_period(rows: QuerySet[Release]) -> QuerySet[Release]:
    newest = LivePeriod.objects.filter(release=OuterRef("pk")).order_by("-id")
    return rows.annotate(
        live_since=Subquery(newest.values("began_at")[:1]),
        live_until=Subquery(newest.values("ended_at")[:1]),
        ended_how=Coalesce(Subquery(newest.values("ended_how")[:1]), Value("")),
    )


def _describe(release: Any, aliases: list[str]) -> ReleaseView:
    return ReleaseView(
        release_id=release.pk,
        number=release.number,
        base_number=release.base_number,
        state=release.state,
        title=release.title,
        aliases=tuple(aliases),
        gate_state=release.gate_state,
        gate_reason=release.gate_reason,
        rebuild=release.rebuild,
        edits_total=release.edits_total,
        edits_done=release.edits_done,
        passage_count=release.passage_count,
        document_count=release.document_count,
        embedder=release.vector_space.embedder,
        dims=release.vector_space.dims,
        error=release.error,
        created_at=release.created_at,
        heartbeat_at=release.heartbeat_at,
        staged_at=release.staged_at,
        published_at=release.published_at,
        live_since=release.live_since,
        live_until=release.live_until,
        ended_how=release.ended_how,
    )
