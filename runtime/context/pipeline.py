"""The context pack of one turn: request, resolve, sources, relevance filter, fit, render."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from knowledge.search.query_embedding import prepare_queries
from memoryproject.parallel_reads import start_parallel_read
from runtime.context.core.episodes import SnippetSlot
from runtime.context.core.pack import Layer, Pack
from runtime.context.fit import fit_pack
from runtime.context.identity.player import OlderTalk
from runtime.context.identity.releases import LORE
from runtime.context.relevance_filter import mark_relevance
from runtime.context.request import ContextRequest
from runtime.context.resolve import resolve_turn
from runtime.context.sources.art import Art
from runtime.context.sources.episodes import Episodes
from runtime.context.sources.events import Events
from runtime.context.sources.facts import Facts
from runtime.context.sources.flags import Flags
from runtime.context.sources.instructions import Instructions
from runtime.context.sources.lore import Lore
from runtime.context.sources.memory_rules import MemoryRules
from runtime.context.sources.notebook import Notebook
from runtime.context.sources.own_words import OwnWords
from runtime.context.sources.party_events import PartyEvents
from runtime.context.sources.pending import Pending
from runtime.context.sources.people import People
from runtime.context.sources.preferences import Preferences
from runtime.context.sources.rules import Rules
from runtime.context.sources.source import Found, Source
from runtime.context.sources.summaries import Summaries
from runtime.context.sources.system_rules import SystemRules
from runtime.context.sources.talk import Talk
from runtime.context.sources.talk_summary import TalkSummary
from runtime.context.stopwatch import Stopwatch
from runtime.context.turn import ResolvedTurn

SOURCES: tuple[Source[Any], ...] = (
    SystemRules(),
    MemoryRules(),
    Lore(),
    Rules(),
    Summaries(),
    Flags(),
    PartyEvents(),
    People(),
    Facts(),
    Episodes(),
    Events(),
    Notebook(),
    Pending(),
    Art(),
    Preferences(),
    Instructions(),
    TalkSummary(),
    Talk(),
    OwnWords(),
)
"""All that a pack may tell. They are fetched in this order, and told in the order of `LAYERS`."""
USER_UNKNOWN = "user_unknown"


@dataclass(frozen=True, slots=True)
class AssembledContext:
    """A pack, and how it came to be."""

    request: ContextRequest
    pack: Pack
    releases: Mapping[str, int]
    embedder: str
    degraded: tuple[str, ...]
    """What the pack had to do without, as codes; empty when all went well."""
    persona_version: int | None
    steps_ms: Mapping[str, float]
    is_talk_rebuilt: bool
    """Whether Redis did not hold the session's talk, and it came from RAW."""
    reply_language: str | None
    """The language that the reply was asked for in; None leaves it open."""
    snippets: Mapping[int, SnippetSlot] = field(default_factory=dict)
    """By message id, the messages found that take a snippet."""
    talk: OlderTalk | None = None
    """What left the window of the talk; None where no conversation is known."""
    talk_length: int = 0
    """Messages of the talk within the window, told or not."""


def assemble_context(request: ContextRequest) -> AssembledContext:
    """The pack of a turn. The same question and state give the same pack.

    Raises BudgetTooSmall and what `resolve_turn` raises.
    """
    watch = Stopwatch()
    turn = resolve_turn(request, watch)
    found = _fetch(turn, watch)
    with watch.step("fit"):
        pack = fit_pack(_build_layers(turn, found), turn.budget, turn.prompts, speakers=turn.names)
    lore, episodes = turn.releases.get(LORE), found.get(Episodes)
    return AssembledContext(
        request=request,
        pack=pack,
        releases={domain: release.number for domain, release in turn.releases.items()},
        embedder=f"{lore.embedder}/{lore.dims}" if lore else "",
        degraded=tuple(dict.fromkeys(_list_degraded(turn, found))),
        persona_version=turn.persona_version,
        steps_ms=watch.steps_ms,
        is_talk_rebuilt=turn.session is not None and turn.session.is_rebuilt,
        reply_language=turn.reply_language,
        snippets={} if episodes is None else episodes.snippets,
        talk=turn.older_talk,
        talk_length=len(turn.talk),
    )


def _fetch(turn: ResolvedTurn, watch: Stopwatch) -> Found:
    """What the sources read: each embedder is asked for all queries at once, and those that are parallel are read on a
    second connection while the rest is read on this one.
    """
    needed = [source for source in SOURCES if source.is_needed(turn)]
    parallel = [source for source in needed if source.is_parallel]
    with prepare_queries([query for source in needed for query in source.list_queries(turn)]):
        read_parallel = start_parallel_read(partial(_fetch_each, parallel, turn, watch)) if parallel else dict
        results = _fetch_each([source for source in needed if not source.is_parallel], turn, watch)
        return Found({**results, **read_parallel()})


def _fetch_each(sources: Iterable[Source[Any]], turn: ResolvedTurn, watch: Stopwatch) -> dict[type[Source[Any]], Any]:
    results: dict[type[Source[Any]], Any] = {}
    for source in sources:
        with watch.step(source.step or source.name):
            results[type(source)] = source.fetch(turn)
    return results


def _build_layers(turn: ResolvedTurn, found: Found) -> list[Layer]:
    """The items of all sources by layer, those marked that the turn does not need."""
    layers: dict[str, list[Any]] = {}
    for source in SOURCES:
        items = mark_relevance(source.build_items(turn, found), source.judge_items(turn, found))
        layers.setdefault(source.layer, []).extend(items)
    return [Layer(name, tuple(items)) for name, items in layers.items()]


def _list_degraded(turn: ResolvedTurn, found: Found) -> Iterator[str]:
    if turn.request.user_id is not None and turn.player is None:
        yield USER_UNKNOWN
    yield from found.list_degraded(SOURCES)
    yield from () if turn.session is None else turn.session.degraded
