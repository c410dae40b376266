"""Search in one notebook, by words and by meaning, for one member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.canon.selectors.search import check_query
from knowledge.config import NotebookSettings, get_notebook_settings
from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE
from knowledge.notebook.models import Access, EntryState, NotebookEntry, NotebookPassage
from knowledge.notebook.models.passages import NOTEBOOK_PARTITION_KIND
from knowledge.notebook.selectors.entries import filter_visible
from knowledge.notebook.selectors.memberships import Seat
from knowledge.search.core.fusion import FusedHit
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import Embedder, get_notebook_embedder
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import SearchPartition, search_passages
from knowledge.search.partition_statistics import read_statistics
from knowledge.search.query_embedding import embed_query

MAX_K = 50
KINDS = (FACT, NOTE, DOCUMENT)
PER_DOCUMENT = 2
"""Parts of one document among the results: more would crowd the others out."""


@dataclass(frozen=True, slots=True)
class NotebookHit:
    """An entry that was found; `text` is the part that was, from `start` to `end` of its content."""

    entry: NotebookEntry
    text: str
    start: int
    end: int
    score: float
    parts: FusedHit


@dataclass(frozen=True, slots=True)
class NotebookSearch:
    """What was found, best first."""

    hits: tuple[NotebookHit, ...] = ()
    degraded: tuple[str, ...] = ()
    """What the search had to do without, as codes."""


def search_notebook(
    seat: Seat, query: str, *, k: int | None = None, kinds: Sequence[str] = (NOTE,), with_archived: bool = False
) -> NotebookSearch:
    """The entries that answer a query best. Three queries, four where common words must be taken in.

    Raises InvalidQuery. What is archived has no passages: `with_archived` finds it by its words alone.
    """
    check_query(query)
    settings = get_notebook_settings()
    limit = min(k or settings.retrieval.k_context, MAX_K)
    embedder = get_notebook_embedder()
    found = read_statistics(_build_partition(seat, kinds), query, settings=settings, embedder=embedder)
    hits: list[NotebookHit] = []
    degraded: tuple[str, ...] = ()
    if found.partition.passage_count:
        vector, degraded = _embed(embedder, query, settings, foreign=found.has_foreign_vectors)
        ranked = search_passages(
            found.partition,
            plan=found.plan,
            query_vector=vector,
            settings=settings,
            semantic=embedder.is_semantic,
            limit=limit * PER_DOCUMENT,
        )
        hits = _load(seat, ranked.hits)[:limit]
    if with_archived and len(hits) < limit:
        hits += _find_archived(seat, query, kinds, limit - len(hits))
    return NotebookSearch(tuple(hits), degraded)


def list_notebook_embedders() -> list[Embedder]:
    """Whom a search asks for its query's vector."""
    return [] if get_notebook_settings().retrieval.mode == "keyword" else [get_notebook_embedder()]


def _build_partition(seat: Seat, kinds: Sequence[str]) -> SearchPartition:
    own = "" if seat.may(Access.WRITE) and seat.is_trusted else " AND p.author IN ('', %(agent)s)"
    return SearchPartition(
        table="knowledge_notebookpassage",
        partition_id=build_partition_id(NOTEBOOK_PARTITION_KIND, seat.notebook.pk),
        where="p.tenant_id = %(tenant_id)s AND p.notebook_id = %(notebook_id)s AND p.kind = ANY(%(kinds)s::varchar[])"
        + own,
        parameters={
            "tenant_id": seat.notebook.tenant_id,
            "notebook_id": seat.notebook.pk,
            "kinds": list(kinds),
            "agent": seat.agent,
        },
        passage_count=0,
    )


def _embed(
    embedder: Embedder, query: str, settings: NotebookSettings, *, foreign: bool
) -> tuple[Vectors | None, tuple[str, ...]]:
    """The query's vector, and why there is none. Vectors of another embedder are never compared with it."""
    if settings.retrieval.mode == "keyword":
        return None, ()
    if foreign:
        return None, ("embedder_changed",)
    vector, failure = embed_query(embedder, query)
    return vector, ((failure,) if failure else ())


def _load(seat: Seat, hits: Sequence[FusedHit]) -> list[NotebookHit]:
    passages = {
        row.pk: row
        for row in NotebookPassage.objects.select_related("entry")
        .defer("lexemes", "bm25", "embedding")
        .filter(pk__in=[hit.id for hit in hits], notebook_id=seat.notebook.pk)
    }
    found: list[NotebookHit] = []
    told: dict[int, int] = {}
    for hit in hits:
        row = passages.get(hit.id)
        if row is None or told.get(row.entry_id, 0) >= PER_DOCUMENT:
            continue
        told[row.entry_id] = told.get(row.entry_id, 0) + 1
        text = row.entry.content[row.start : row.end]
        found.append(NotebookHit(row.entry, text, row.start, row.end, hit.score, hit))
    return found


def _find_archived(seat: Seat, query: str, kinds: Sequence[str], limit: int) -> list[NotebookHit]:
    rows = filter_visible(seat, with_archived=True).filter(kind__in=kinds, state=EntryState.ARCHIVED)
    words = [word for word in query.casefold().split() if len(word) > 2] or [query.casefold()]
    for word in words:
        rows = rows.filter(content__icontains=word)
    return [
        NotebookHit(row, row.content, 0, len(row.content), 0.0, FusedHit(row.pk, 0.0, 0.0, None, 0.0, 0.0, None, None))
        for row in rows.order_by("-archived_at")[:limit]
    ]
