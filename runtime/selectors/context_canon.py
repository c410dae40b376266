"""Canon for one turn: passages of lore and of the rules that speak to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.canon.selectors.search import QUERY_LENGTH_MOST, LoreHit, search_lore
from knowledge.errors import UnknownAlias, UnknownDomain
from runtime.core.asking import ContextAsk
from runtime.core.budgets import Budget
from runtime.core.pack import Item, Layer, Provenance
from runtime.core.passages import quote_passage

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


def find_canon(ask: ContextAsk, budget: Budget) -> FoundCanon:
    """Lore and rules that whoever speaks may know; empty layers where nothing is found, and nothing in their place.

    A domain that was never published is left out. At most ten queries. Raises UnknownRelease, UnknownAlias.
    """
    lore = _find_release(ask, LORE)
    rules = _find_release(ask, RULES)
    audience = (PUBLIC,) if ask.npc_id is None else get_npc_audience(ask.world_id, ask.npc_id, release=lore)
    layers: list[Layer] = []
    degraded: list[str] = []
    for release in (lore, rules):
        if release is None:
            continue
        result = search_lore(
            release,
            build_query(ask),
            k=_count_wanted(budget, release),
            audience=audience,
            remember_misses=not ask.is_preview,
        )
        degraded += result.degraded
        layers.append(_make_layer(release, result.hits, ask, budget))
    if lore is None:
        degraded.append(LORE_UNPUBLISHED)
    elif not layers[0].items:
        degraded.append(LORE_EMPTY)
    found = [release for release in (lore, rules) if release is not None]
    return FoundCanon(
        layers=tuple(layers),
        releases={release.domain: release.number for release in found},
        embedder=f"{lore.embedder}/{lore.dims}" if lore else "",
        degraded=tuple(dict.fromkeys(degraded)),
    )


def build_query(ask: ContextAsk) -> str:
    """What is searched for: the words of the player, and where they are."""
    place = (ask.location_id or "").replace("_", " ").replace("-", " ")
    return f"{ask.message[: QUERY_LENGTH_MOST - len(place) - 1]} {place}".strip()


def _find_release(ask: ContextAsk, domain: str) -> ResolvedRelease | None:
    """The release to read. A number names one of lore; where nothing was ever published there is none."""
    by_number = domain == LORE and ask.release is not None
    try:
        return resolve_release(
            world_id=ask.world_id,
            domain=domain,
            alias=ask.alias,
            release=ask.release if by_number else None,
            session_id=ask.session_id,
        )
    except UnknownDomain:
        return None
    except UnknownAlias:
        if domain == LORE and ask.alias != "latest":
            raise
        return None


def _count_wanted(budget: Budget, release: ResolvedRelease) -> int:
    return min(max(budget.layers[LAYER_OF_DOMAIN[release.domain]].max_items + 1, 2), 12)


def _make_layer(release: ResolvedRelease, hits: tuple[LoreHit, ...], ask: ContextAsk, budget: Budget) -> Layer:
    name = LAYER_OF_DOMAIN[release.domain]
    limit = budget.layers[name].item_tokens or QUOTE_TOKENS
    return Layer(name, tuple(_tell(release, hit, ask, limit) for hit in hits))


def _tell(release: ResolvedRelease, hit: LoreHit, ask: ContextAsk, limit: int) -> Item:
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
            scores={"score": hit.score, "bm25": hit.parts.bm25, "vector": hit.parts.vector},
        ),
        template="passage",
        values={"title": hit.title},
    )
