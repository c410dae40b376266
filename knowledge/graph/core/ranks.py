"""Personalised PageRank over the entities that a reader knows, and the names by which a query seeds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

DAMPING = 0.5
"""Half of the weight stays at the seeds: what is asked about is near. Source: HippoRAG 2."""
STEPS = 20
"""0.5 to the 20th is a millionth: more steps change no place."""
HUB_PERCENTILE = 99
"""What has more neighbours than 99 in 100 spreads nothing: everything is near the city itself."""


class DescribedBy(NamedTuple):
    """A document about an entity."""

    document_id: int
    entity_id: int
    domain_index_id: int
    language: str


@dataclass(frozen=True, slots=True)
class RankGraph:
    """Entities by position, how weight goes from one to its neighbours, and what they are called and described by."""

    entity_ids: tuple[int, ...]
    transition: csr_matrix
    names: Mapping[str, tuple[tuple[frozenset[str], int], ...]]
    """A lexeme to the names that hold it as their longest one: all their lexemes, and the entity's position."""
    documents: Mapping[int, tuple[DescribedBy, ...]]
    """Position to the documents about the entity."""
    positions: Mapping[int, int] = field(default_factory=dict)
    """Document to the position of its entity."""


def build_rank_graph(
    edges: Iterable[tuple[int, int]],
    names: Iterable[tuple[int, Sequence[str]]],
    documents: Iterable[DescribedBy],
) -> RankGraph:
    """The graph of edges between entities, their names as lexemes, and what describes them."""
    pairs = {(min(pair), max(pair)) for pair in edges if pair[0] != pair[1]}
    described = list(documents)
    ids = sorted({end for pair in pairs for end in pair} | {each.entity_id for each in described})
    position = {id_: place for place, id_ in enumerate(ids)}
    by_position: dict[int, list[DescribedBy]] = {}
    for each in described:
        by_position.setdefault(position[each.entity_id], []).append(each)
    index: dict[str, list[tuple[frozenset[str], int]]] = {}
    for entity, lexemes in names:
        if lexemes and entity in position:
            index.setdefault(max(lexemes, key=len), []).append((frozenset(lexemes), position[entity]))
    return RankGraph(
        entity_ids=tuple(ids),
        transition=_make_transition([(position[one], position[other]) for one, other in pairs], len(ids)),
        names={lexeme: tuple(found) for lexeme, found in index.items()},
        documents={place: tuple(found) for place, found in by_position.items()},
        positions={each.document_id: position[each.entity_id] for each in described},
    )


def find_named(graph: RankGraph, lexemes: Iterable[str]) -> list[int]:
    """Positions of the entities that a text with these lexemes names; a name within a longer one does not count."""
    said = frozenset(lexemes)
    found = [(name, place) for lexeme in said for name, place in graph.names.get(lexeme, ()) if said.issuperset(name)]
    longest = [place for name, place in found if not any(name < other for other, place_ in found if place_ != place)]
    return sorted(set(longest))


def rank_entities(graph: RankGraph, seeds: Mapping[int, float]) -> NDArray[np.float64]:
    """The weight of each position when weight starts at the seeds; all zero without seeds."""
    size = len(graph.entity_ids)
    reset = np.zeros(size)
    for place, weight in seeds.items():
        reset[place] += weight
    total = reset.sum()
    if total <= 0:
        return reset
    reset /= total
    rank = reset.copy()
    for _ in range(STEPS):
        rank = (1 - DAMPING) * reset + DAMPING * (graph.transition @ rank)
    return rank


def _make_transition(pairs: Sequence[tuple[int, int]], size: int) -> csr_matrix:
    """Columns spread their weight evenly to neighbours; those of hubs spread none."""
    if not pairs:
        return csr_matrix((size, size))
    ends = np.array(pairs, dtype=np.int64)
    rows = np.concatenate([ends[:, 0], ends[:, 1]])
    columns = np.concatenate([ends[:, 1], ends[:, 0]])
    degrees = np.bincount(columns, minlength=size)
    hubs = degrees > np.percentile(degrees[degrees > 0], HUB_PERCENTILE)
    weights = np.where(hubs[columns], 0.0, 1.0 / degrees[columns])
    return csr_matrix((weights, (rows, columns)), shape=(size, size))
