"""What the NPC that speaks has written down in its notebook with this player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.notebook.core.drafts import DOCUMENT
from knowledge.notebook.models import ConflictKind, NotebookConflict
from knowledge.notebook.selectors.context import FactWithConflicts, NotebookContext, read_notebook_context
from knowledge.notebook.selectors.entries import find_source_messages
from knowledge.notebook.selectors.memberships import find_own_seat
from knowledge.notebook.selectors.search import NotebookHit, list_notebook_embedders
from knowledge.search.embedding import Embedder
from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Fetched, Found, Source
from runtime.context.turn import ResolvedTurn

MAX_LINE_LENGTH = 400
FACT_PRIORITY = 1


@dataclass(frozen=True, slots=True)
class FoundNotebook(Fetched):
    """Facts, and what the message is about."""

    context: NotebookContext = field(default_factory=NotebookContext)
    sources: Mapping[int, int] = field(default_factory=dict)
    """Entry to the message of the player that its words rest on."""


class Notebook(Source[FoundNotebook]):
    """The notebook that a turn of `npc/chat` names: facts first, then notes and documents."""

    name = "notebook"
    layer = "notebook"
    step = "notebook"
    is_parallel = True

    def is_needed(self, turn: ResolvedTurn) -> bool:
        """In talk of a world that has it switched on, where the budget takes it."""
        return turn.request.notebook_id is not None and bool(turn.budget.layers["notebook"].max_items)

    def list_queries(self, turn: ResolvedTurn) -> Iterable[tuple[Embedder, str]]:
        """The message itself."""
        return [(embedder, turn.message.query) for embedder in list_notebook_embedders()]

    def fetch(self, turn: ResolvedTurn) -> FoundNotebook:
        """Seven queries at most, three of an empty notebook."""
        request = turn.request
        if request.notebook_id is None:
            return FoundNotebook()
        seat = find_own_seat(tenant_id=request.tenant_id, world_id=request.world_id, notebook_id=request.notebook_id)
        if seat is None:
            return FoundNotebook()
        context = read_notebook_context(seat, turn.message.query)
        told = [*(fact.entry for fact in context.facts), *(hit.entry for hit in context.hits)]
        return FoundNotebook(context, find_source_messages(told), degraded=context.degraded)

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Facts stay longer than memories, pinned and used ones longest."""
        result = found.get(Notebook)
        if result is None:
            return []
        return [
            *(_build_fact(fact, result.sources) for fact in result.context.facts),
            *(_build_note(hit, result.sources) for hit in result.context.hits),
        ]


def describe_side(conflict: NotebookConflict) -> tuple[str, str]:
    """Who says what against the fact as it stands: of a fact that was overwritten, the older author."""
    if conflict.kind == ConflictKind.OVERWRITTEN:
        return conflict.older.author, conflict.older.content or "…"
    return conflict.newer.author, conflict.says or conflict.newer.content or "…"


def _build_fact(fact: FactWithConflicts, sources: Mapping[int, int]) -> Item:
    row = fact.entry
    ids = {"entry_id": row.pk, "version": row.version, "author": row.author}
    values = {"name": row.name}
    if fact.conflicts:
        values["title"] = "; ".join(describe_side(conflict)[1][:120] for conflict in fact.conflicts[:2])
    return Item(
        id=f"notebook:{row.pk}",
        text=_shorten(row.content),
        provenance=Provenance("notebook", ids, evidence=_list_evidence(row.pk, sources)),
        template="fact_disputed" if fact.conflicts else "fact",
        values=values,
        priority=FACT_PRIORITY,
    )


def _build_note(hit: NotebookHit, sources: Mapping[int, int]) -> Item:
    row = hit.entry
    return Item(
        id=f"notebook:{row.pk}:{hit.start}",
        text=_shorten(hit.text),
        provenance=Provenance(
            "notebook",
            {"entry_id": row.pk, "version": row.version, "author": row.author, "start": hit.start, "end": hit.end},
            evidence=_list_evidence(row.pk, sources),
            scores={"score": hit.score, "bm25": hit.parts.bm25, "vector": hit.parts.vector},
        ),
        template="document" if row.kind == DOCUMENT else "note",
        values={"name": row.name} if row.kind == DOCUMENT else {},
    )


def _list_evidence(entry_id: int, sources: Mapping[int, int]) -> tuple[int, ...]:
    return (sources[entry_id],) if entry_id in sources else ()


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_LINE_LENGTH else f"{text[:MAX_LINE_LENGTH].rstrip()}…"
