"""Canon for one turn: passages of lore and of the rules that speak to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knowledge.canon.core.names import is_named, list_place_slugs
from knowledge.canon.models import PUBLIC, AliasName
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease, find_releases, resolve_release
from knowledge.canon.selectors.search import (
    MAX_QUERY_LENGTH,
    NAMES_DEPTH,
    LoreHit,
    LoreSearchResult,
    list_query_embedders,
    search_releases,
)
from knowledge.errors import UnknownAlias
from knowledge.search.embedding import Embedder, get_embedder, scale_cosine
from knowledge.text.analysis import analyse
from runtime.config import load_budgets
from runtime.context.core.budgets import Budget
from runtime.context.core.pack import FUSED_PLACE, PLACE, RERANK_PLACE, Item, Layer, Provenance
from runtime.context.core.passages import quote_passage
from runtime.context.gate import MESSAGE_SHARE, FoundRule, Verdict, judge_rule, weigh_message
from runtime.context.request import ContextRequest

LORE, RULES = "lore", "srd"
LAYER_OF_DOMAIN = {LORE: "lore", RULES: "rules"}
LORE_UNPUBLISHED = "lore_unpublished"
LORE_EMPTY = "lore_empty"
QUOTE_TOKENS = 220


@dataclass(frozen=True, slots=True)
class FoundCanon:
    """What canon has for the turn, and what the search did without."""

    layers: tuple[Layer, ...]
    releases: Mapping[str, int]
    """Domain to the number of the release that was read."""
    embedder: str
    degraded: tuple[str, ...]


def find_canon(
    ask: ContextRequest,
    budget: Budget,
    *,
    releases: Mapping[str, ResolvedRelease] | None = None,
    audience: Sequence[str] | None = None,
    rerank: bool | None = None,
) -> FoundCanon:
    """Lore and rules that whoever speaks may know; empty layers where nothing is found, and nothing in their place.

    A domain that was never published is left out. Rules that the message does not call for are marked so; where there
    is no lore, all are told. `rerank` None follows `config/knowledge.yaml`. Two queries and one for each domain; more
    where releases and audience are not given. Raises UnknownRelease, UnknownAlias.
    """
    releases = find_turn_releases(ask) if releases is None else releases
    lore = releases.get(LORE)
    if audience is None:
        audience = (PUBLIC,) if ask.npc_id is None else get_npc_audience(ask.world_id, ask.npc_id, release=lore)
    layers: list[Layer] = []
    degraded: list[str] = []
    results = search_releases(
        tuple(releases.values()),
        build_query(ask),
        k={domain: NAMES_DEPTH if domain == LORE else _count_wanted(budget, domain) for domain in releases},
        audience=audience,
        rerank=rerank,
        remember_misses=not ask.is_preview,
    )
    words = frozenset(analyse(ask.cut_query(MAX_QUERY_LENGTH)))
    has_lore = lore is not None and bool(results[LORE].hits)
    for result in results.values():
        degraded += result.degraded
        is_gated = has_lore and result.release.domain == RULES
        verdicts = _judge_rules(result, results.values(), words) if is_gated else {}
        hits = _rank(result, ask, words)[: _count_wanted(budget, result.release.domain)]
        layers.append(_make_layer(result.release, hits, verdicts, ask, budget))
    if lore is None:
        degraded.append(LORE_UNPUBLISHED)
    elif not has_lore:
        degraded.append(LORE_EMPTY)
    return FoundCanon(
        layers=tuple(layers),
        releases={domain: release.number for domain, release in releases.items()},
        embedder=f"{lore.embedder}/{lore.dims}" if lore else "",
        degraded=tuple(dict.fromkeys(degraded)),
    )


def build_query(ask: ContextRequest) -> str:
    """What is searched for: the words of the player, and where they are."""
    place = (ask.location_id or "").replace("_", " ").replace("-", " ")
    return f"{ask.cut_query(MAX_QUERY_LENGTH - len(place) - 1)} {place}".strip()


def list_canon_queries(ask: ContextRequest, releases: Mapping[str, ResolvedRelease]) -> list[tuple[Embedder, str]]:
    """What `find_canon` will want embedded, and by whom."""
    return [(embedder, build_query(ask)) for embedder in list_query_embedders(releases.values())]


def find_turn_releases(ask: ContextRequest) -> dict[str, ResolvedRelease]:
    """Domain to the release to read, lore first, without those that were never published. One query, or two.

    A number names a release of lore. Raises UnknownRelease, UnknownAlias.
    """
    domains = [LORE, RULES] if ask.release is None else [RULES]
    found = find_releases(world_id=ask.world_id, domains=domains, alias=ask.alias, session_id=ask.session_id)
    if ask.release is not None:
        lore = resolve_release(world_id=ask.world_id, domain=LORE, release=ask.release)
        return {LORE: lore, **found}
    if LORE not in found and ask.alias != AliasName.LATEST:
        raise UnknownAlias(f"The alias {ask.alias!r} of domain {LORE!r} points at no release.")
    return found


def _count_wanted(budget: Budget, domain: str) -> int:
    return min(max(budget.layers[LAYER_OF_DOMAIN[domain]].max_items + 1, 2), NAMES_DEPTH)


def _judge_rules(
    rules: LoreSearchResult, searched: Iterable[LoreSearchResult], words: frozenset[str]
) -> dict[int, Verdict]:
    """Passage to whether the player's own words call for it, wherever they are said; empty where nobody asks."""
    gate = load_budgets().to_rules_gate()
    if not gate.enabled:
        return {}
    frequencies: Counter[str] = Counter()
    passage_count = 0
    for each in searched:
        frequencies.update(each.frequencies)
        passage_count += each.release.passage_count
    message = weigh_message(words, frequencies, passage_count=passage_count)
    return {hit.passage_id: judge_rule(gate, message, _read_rule(hit, rules)) for hit in rules.hits}


def _read_rule(hit: LoreHit, rules: LoreSearchResult) -> FoundRule:
    cosine = hit.parts.vector if rules.is_semantic else None
    similarity = None if cosine is None else scale_cosine(cosine, get_embedder(rules.release.domain))
    return FoundRule(hit.text, hit.names, hit.heading_path, similarity)


def _rank(result: LoreSearchResult, ask: ContextRequest, words: frozenset[str]) -> list[LoreHit]:
    """Passages of the place's own article first, then the best of each article of lore that the message names.

    Of what was found these are the last to be cut. Where a model put the passages in order, names are left to it.
    """
    own_slugs = list_place_slugs(ask.location_id or "")
    takes_names = result.release.domain == LORE and all(hit.rerank_place is None for hit in result.hits)
    named = {hit.slug: hit for hit in reversed(result.hits) if takes_names and is_named(hit.names, words)}
    return sorted(result.hits, key=lambda hit: (hit.slug not in own_slugs, named.get(hit.slug) is not hit))


def _make_layer(
    release: ResolvedRelease,
    hits: Sequence[LoreHit],
    verdicts: Mapping[int, Verdict],
    ask: ContextRequest,
    budget: Budget,
) -> Layer:
    name = LAYER_OF_DOMAIN[release.domain]
    limit = budget.layers[name].item_tokens or QUOTE_TOKENS
    items = [
        _build_item(release, hit, ask, limit, place, verdicts.get(hit.passage_id))
        for place, hit in enumerate(hits, start=1)
    ]
    return Layer(name, tuple(items))


def _build_item(
    release: ResolvedRelease, hit: LoreHit, ask: ContextRequest, limit: int, place: int, verdict: Verdict | None
) -> Item:
    held = {} if verdict is None else {MESSAGE_SHARE: verdict.share}
    return Item(
        id=f"{release.domain}:{hit.passage_id}",
        text=quote_passage(hit.text, build_query(ask), limit=limit),
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
                **held,
            },
        ),
        template="passage",
        values={"title": hit.title},
        is_relevant=verdict is None or verdict.is_relevant,
    )
