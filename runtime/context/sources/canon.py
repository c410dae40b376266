"""The search in canon for one turn: passages of lore and of the rules, found together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from knowledge.canon.core.names import is_named, list_place_slugs
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.search import (
    NAMES_DEPTH,
    LoreHit,
    LoreSearchResult,
    list_query_embedders,
    search_releases,
)
from knowledge.search.embedding import Embedder, get_embedder, scale_cosine
from runtime.config import load_budgets
from runtime.context.core.budgets import Budget
from runtime.context.core.pack import FUSED_PLACE, PLACE, RERANK_PLACE, Item, Layer, Provenance
from runtime.context.core.passages import quote_passage
from runtime.context.identity.releases import LORE, RULES, find_turn_releases
from runtime.context.message import PlayerMessage
from runtime.context.relevance_filter import (
    FoundRule,
    RelevanceFilter,
    Verdict,
    judge_rule,
    mark_relevance,
    weigh_message,
)
from runtime.context.request import ContextRequest
from runtime.context.sources.source import Fetched

LAYER_OF_DOMAIN = {LORE: "lore", RULES: "rules"}
LORE_UNPUBLISHED = "lore_unpublished"
LORE_EMPTY = "lore_empty"
QUOTE_TOKENS = 220
"""Of one passage where the layer's budget names no other."""


@dataclass(frozen=True, slots=True)
class FoundCanon(Fetched):
    """What canon has for the turn, by domain: as many hits as may be told, in the order of telling, and their items."""

    results: Mapping[str, LoreSearchResult]
    items: Mapping[str, tuple[Item, ...]]
    """Quoted around the words of the message."""

    @property
    def has_lore(self) -> bool:
        """Whether any lore was found."""
        return bool(self.items.get(LORE))


@dataclass(frozen=True, slots=True)
class CanonLayers:
    """Canon alone of a turn, as a pack would tell it."""

    layers: tuple[Layer, ...]
    releases: Mapping[str, int]
    """Domain to the number of the release that was read."""
    degraded: tuple[str, ...]


def search_canon(
    request: ContextRequest,
    message: PlayerMessage,
    budget: Budget,
    *,
    releases: Mapping[str, ResolvedRelease],
    audience: Sequence[str],
    rerank: bool | None = None,
) -> FoundCanon:
    """Lore and rules that whoever speaks may know; nothing where nothing is found, and nothing in its place.

    A domain that was never published is left out. `rerank` None follows `config/knowledge.yaml`. Two queries and one
    for each domain.
    """
    found = search_releases(
        tuple(releases.values()),
        message.canon_query,
        k={domain: NAMES_DEPTH if domain == LORE else _count_wanted(budget, domain) for domain in releases},
        audience=audience,
        rerank=rerank,
        remember_misses=not request.is_preview,
    )
    results = {
        domain: replace(result, hits=tuple(_rank_hits(result, message)[: _count_wanted(budget, domain)]))
        for domain, result in found.items()
    }
    degraded = [code for result in results.values() for code in result.degraded]
    if LORE not in results:
        degraded.append(LORE_UNPUBLISHED)
    elif not results[LORE].hits:
        degraded.append(LORE_EMPTY)
    items = {domain: tuple(_build_items(result, message, budget)) for domain, result in results.items()}
    return FoundCanon(results, items, degraded=tuple(dict.fromkeys(degraded)))


def list_canon_queries(message: PlayerMessage, releases: Mapping[str, ResolvedRelease]) -> list[tuple[Embedder, str]]:
    """What `search_canon` will want embedded, and by whom."""
    return [(embedder, message.canon_query) for embedder in list_query_embedders(releases.values())]


def judge_rules(
    found: FoundCanon | None, message: PlayerMessage, relevance_filter: RelevanceFilter
) -> dict[str, Verdict]:
    """Item id to whether the player's own words call for the rule, wherever they are said.

    Empty where there is no lore, or the filter is off: then all are told.
    """
    if found is None or RULES not in found.results or not found.has_lore or not relevance_filter.enabled:
        return {}
    frequencies: Counter[str] = Counter()
    passage_count = 0
    for each in found.results.values():
        frequencies.update(each.frequencies)
        passage_count += each.release.passage_count
    weighed = weigh_message(message.lexemes, frequencies, passage_count=passage_count)
    rules = found.results[RULES]
    return {_name_item(RULES, hit): judge_rule(relevance_filter, weighed, _read_rule(hit, rules)) for hit in rules.hits}


def find_canon(
    request: ContextRequest, budget: Budget, *, audience: Sequence[str] | None = None, rerank: bool | None = None
) -> CanonLayers:
    """Canon alone of a turn, without the player: what a replay searches for again.

    `audience` None is that of whoever speaks. Raises UnknownRelease, UnknownAlias.
    """
    message, releases = PlayerMessage(request.message, request.location_id or ""), find_turn_releases(request)
    if audience is None and request.npc_id is not None:
        audience = get_npc_audience(request.world_id, request.npc_id, release=releases.get(LORE))
    found = search_canon(request, message, budget, releases=releases, audience=audience or (PUBLIC,), rerank=rerank)
    verdicts = judge_rules(found, message, load_budgets().to_relevance_filter())
    return CanonLayers(
        layers=tuple(
            Layer(LAYER_OF_DOMAIN[domain], mark_relevance(items, verdicts)) for domain, items in found.items.items()
        ),
        releases={domain: release.number for domain, release in releases.items()},
        degraded=found.degraded,
    )


def _count_wanted(budget: Budget, domain: str) -> int:
    return min(max(budget.layers[LAYER_OF_DOMAIN[domain]].max_items + 1, 2), NAMES_DEPTH)


def _rank_hits(result: LoreSearchResult, message: PlayerMessage) -> list[LoreHit]:
    """Passages of the place's own article first, then the best of each article of lore that the message names.

    Of what was found these are the last to be cut. Where a model put the passages in order, names are left to it.
    """
    own_slugs = list_place_slugs(message.location_id)
    takes_names = result.release.domain == LORE and all(hit.rerank_place is None for hit in result.hits)
    named = {hit.slug: hit for hit in reversed(result.hits) if takes_names and is_named(hit.names, message.lexemes)}
    return sorted(result.hits, key=lambda hit: (hit.slug not in own_slugs, named.get(hit.slug) is not hit))


def _read_rule(hit: LoreHit, rules: LoreSearchResult) -> FoundRule:
    cosine = hit.parts.vector if rules.is_semantic else None
    similarity = None if cosine is None else scale_cosine(cosine, get_embedder(rules.release.domain))
    return FoundRule(hit.text, hit.names, hit.heading_path, similarity)


def _build_items(result: LoreSearchResult, message: PlayerMessage, budget: Budget) -> Iterator[Item]:
    limit = budget.layers[LAYER_OF_DOMAIN[result.release.domain]].item_tokens or QUOTE_TOKENS
    for place, hit in enumerate(result.hits, start=1):
        yield _build_item(result.release, hit, message, limit=limit, place=place)


def _name_item(domain: str, hit: LoreHit) -> str:
    return f"{domain}:{hit.passage_id}"


def _build_item(release: ResolvedRelease, hit: LoreHit, message: PlayerMessage, *, limit: int, place: int) -> Item:
    return Item(
        id=_name_item(release.domain, hit),
        text=quote_passage(hit.text, message.canon_query, limit=limit, words=message.telling_canon_words),
        provenance=Provenance(
            release.domain,
            {
                "slug": hit.slug,
                "passage_id": hit.passage_id,
                "document_id": hit.document_id,
                "revision": hit.revision_number,
                "version": hit.version,
                "anchor": hit.anchor,
            },
            release=release.number,
            scores={
                "score": hit.score,
                "bm25": hit.parts.bm25,
                "vector": hit.parts.vector,
                FUSED_PLACE: hit.fused_place,
                RERANK_PLACE: hit.rerank_place,
                PLACE: place,
            },
        ),
        template="passage",
        values={"title": hit.title},
    )
