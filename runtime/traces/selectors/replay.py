"""A turn once more: as of then, from its trace, and as it would be now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from knowledge.errors import UnknownRelease
from memoryproject.errors import DomainError
from runtime.config import load_budgets, load_prompts
from runtime.context.core.budgets import Budget
from runtime.context.core.pack import Layer, Pack
from runtime.context.fit import fit_pack
from runtime.context.pipeline import AssembledContext, assemble_context
from runtime.context.request import ContextRequest
from runtime.context.sources.canon import CanonLayers, find_canon
from runtime.errors import BudgetTooSmall
from runtime.traces.core.places import was_reranked
from runtime.traces.core.replay_diff import (
    CANON_LAYERS,
    Differences,
    compare_items,
    compare_values,
    keep_back_as_then,
    list_speakers,
    list_told_layers,
)
from runtime.traces.core.requests import read_request
from runtime.traces.core.traces import digest_messages, list_items
from runtime.traces.selectors.traces import OpenedTrace

LORE = "lore"


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The turn as of then: canon searched for again in the releases that were read, all else as it was recorded."""

    pack: Pack | None
    reasons: tuple[str, ...]
    """Why it is not the same; empty when it is, word for word."""
    differences: Differences
    as_recorded: tuple[str, ...] = ()
    """Layers that were not searched for again."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Both looks. `now` is None where the turn can't be asked any more: `now_refused` says why, by a code."""

    opened: OpenedTrace
    then: Rebuilt
    now: AssembledContext | None
    now_refused: str | None
    differences: Differences

    @property
    def reproduced(self) -> bool:
        """Whether the pack of then came out again, word for word."""
        return not self.then.reasons


def replay_trace(opened: OpenedTrace, *, is_world_bound: bool = False) -> Replay:
    """The turn as of then and now; nothing is written. A turn whose words are gone is told as such."""
    lack = _find_lack(opened)
    if lack:
        return Replay(opened, Rebuilt(None, (lack,), Differences()), None, lack, Differences())
    trace = opened.trace
    request = read_request(opened.request, tenant_id=trace.tenant_id, world_id=trace.world_id)
    request = replace(request, is_preview=True, is_world_bound=is_world_bound)
    then = _rebuild(opened, request)
    try:
        now = assemble_context(request)
    except DomainError as error:
        return Replay(opened, then, None, error.code, Differences())
    return Replay(opened, then, now, None, _compare(opened, now))


def _find_lack(opened: OpenedTrace) -> str:
    if opened.trace.blanked_at is not None:
        return "forgotten"
    if not opened.has_words:
        return f"words_not_kept_{opened.trace.texts_lack}"
    return "items_left_out" if opened.trace.outline["items_left_out"] else ""


def _rebuild(opened: OpenedTrace, request: ContextRequest) -> Rebuilt:
    trace = opened.trace
    prompts = load_prompts().get(trace.outline["language"])
    if prompts is None or prompts.source != trace.prompt_source:
        return Rebuilt(None, ("prompt_changed",), Differences())
    budget = load_budgets().to_budget().override(total=trace.token_limit, layers=request.layers)
    canon, reasons = _search_again(opened, request, budget)
    again = [layer for layer in canon if layer.name in CANON_LAYERS]
    layers = [*again, *list_told_layers(opened.items, without=[layer.name for layer in again])]
    try:
        pack = fit_pack(layers, budget, prompts, speakers=list_speakers(opened.items))
    except BudgetTooSmall:
        return Rebuilt(None, ("budget_changed",), Differences())
    differences = compare_items(opened.items, list_items(pack))
    if digest_messages(pack.messages) != trace.outline["messages_digest"]:
        reasons.append("canon_differs" if differences.added or differences.gone else "messages_differ")
    told = {layer.name for layer in pack.layers} - {layer.name for layer in again}
    return Rebuilt(pack, tuple(reasons), differences, tuple(sorted(told)))


def _search_again(opened: OpenedTrace, request: ContextRequest, budget: Budget) -> tuple[list[Layer], list[str]]:
    """The layers of canon in the releases that were read, and what stood in the way.

    Only lore can be asked for by number; rules are searched for again while their release is still the live one. What a
    model put in order is left as it was recorded; what it did not is not put to it now.
    """
    read = opened.trace.releases
    if LORE not in read:
        return [], []
    try:
        found: CanonLayers = find_canon(replace(request, release=read[LORE]), budget, rerank=False)
    except UnknownRelease:
        return [], ["release_gone"]
    same = {domain for domain, number in found.releases.items() if read.get(domain) == number}
    reranked = {each.layer for each in opened.items if was_reranked(each.item)}
    again = [layer for layer in found.layers if CANON_LAYERS.get(layer.name) in same and layer.name not in reranked]
    return keep_back_as_then(again, opened.items), []


def _compare(opened: OpenedTrace, now: AssembledContext) -> Differences:
    trace, pack = opened.trace, now.pack
    releases = compare_values(trace.releases, now.releases)
    values = compare_values(
        {
            "tokens": trace.tokens,
            "prompt_source": trace.prompt_source,
            "persona_version": trace.persona_version,
            "embedder": trace.embedder,
        },
        {
            "tokens": pack.tokens,
            "prompt_source": pack.prompt_source,
            "persona_version": now.persona_version,
            "embedder": now.embedder,
        },
    )
    return replace(compare_items(opened.items, list_items(pack)), releases=releases, values=values)
