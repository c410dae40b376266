"""One ranking out of a keyword list and a vector list, with the parts of every score kept for explaining it.

Convex fusion takes the union of both lists with both true scores of every member, scales each list by min-max over the
candidates and adds with weights; reciprocal rank fusion looks at places only. Scaling by the best score was as good
while unrelated texts scored about 0; e5 and its kin put all their cosines into 0.70 to 0.90, where it leaves no
difference between the first and the last: hit@1 of Russian paragraphs .913, by min-max .943. Ties are settled by id, so
that a ranking never depends on the order of its input.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

RRF_CONSTANT = 60
NEIGHBOUR_SHARE = 0.3


class Candidate(NamedTuple):
    """A passage found by either list, with both of its true scores. A tuple: hundreds are made in a search.

    `bm25` is 0 for a passage without any query lexeme. `vector` is the cosine similarity, None while there is no
    embedding; `is_fresh` says that there is none because the passage is new.
    """

    id: int
    bm25: float
    vector: float | None
    is_fresh: bool = False


class FusedHit(NamedTuple):
    """A passage in the fused order; its score is the sum of its parts. Ranks count from 1, None: not in that list."""

    id: int
    score: float
    bm25: float
    vector: float | None
    bm25_part: float
    vector_part: float
    bm25_rank: int | None
    vector_rank: int | None
    neighbour_part: float = 0.0
    name_part: float = 0.0
    is_placed_as_fresh: bool = False
    is_near: bool = False
    """Whether its vector alone makes it a match."""
    features: tuple[tuple[str, float], ...] = ()
    """Of messages of a dialogue: what each declared feature adds; `neighbour_part` is the share that neighbours
    lend."""


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """How much each list counts; only the proportion matters.

    Measured: 0.5 to 0.5 with multilingual-e5-small, 0.6 to 0.4 with an English sentence model,
    0.8 to 0.2 with the hashing embedder. `fresh_vector_score` (0 to 1)
    places a fresh passage that has no embedding yet. Source: seed 002, fix 9.
    """

    bm25: float = 0.6
    vector: float = 0.4
    fresh_vector_score: float = 0.6

    def __post_init__(self) -> None:
        if not (self.bm25 >= 0 and self.vector >= 0 and 0 < self.bm25 + self.vector < math.inf):
            raise ValueError("fusion weights must be finite, not negative and not both zero")
        if not 0 <= self.fresh_vector_score <= 1:
            raise ValueError("fresh_vector_score must lie between 0 and 1")

    @property
    def shares(self) -> tuple[float, float]:
        """The weights of keywords and vectors, adding up to 1."""
        total = self.bm25 + self.vector
        return self.bm25 / total, self.vector / total


DEFAULT_WEIGHTS = FusionWeights()


def fuse_convex(
    candidates: Iterable[Candidate], *, weights: FusionWeights = DEFAULT_WEIGHTS, near_from: float = math.inf
) -> list[FusedHit]:
    """The candidates by the weighted sum of their scaled scores, best first; scores lie between 0 and 1.

    When no candidate has a vector score (embedder down, nothing embedded yet) the keyword order stands, save that fresh
    passages are placed by their constant. Without an embedding and not fresh, a passage gets nothing from the vectors.
    A vector score of `near_from` makes a passage a match by itself.
    """
    members = _distinct(candidates)
    bm25_share, vector_share = weights.shares
    bm25_range = _find_range(member.bm25 for member in members)
    vector_range = _find_range(member.vector for member in members if member.vector is not None)
    bm25_ranks, vector_ranks = _ranks(members)
    hits = []
    for member in members:
        is_placed_as_fresh = _is_placed(member)
        vector_scaled = weights.fresh_vector_score if is_placed_as_fresh else _scale(member.vector, vector_range)
        bm25_part = bm25_share * (_scale(member.bm25, bm25_range) if member.bm25 > 0 else 0.0)
        vector_part = vector_share * vector_scaled
        hits.append(
            FusedHit(
                id=member.id,
                score=bm25_part + vector_part,
                bm25=member.bm25,
                vector=member.vector,
                bm25_part=bm25_part,
                vector_part=vector_part,
                bm25_rank=bm25_ranks.get(member.id),
                vector_rank=vector_ranks.get(member.id),
                is_placed_as_fresh=is_placed_as_fresh,
                is_near=member.vector is not None and member.vector >= near_from,
            )
        )
    return sort_hits(hits)


def fuse_rrf(
    candidates: Iterable[Candidate],
    *,
    weights: FusionWeights | None = None,
    k: int = RRF_CONSTANT,
    depth: int | None = None,
    near_from: float = math.inf,
) -> list[FusedHit]:
    """The candidates by the sum of `weight / (k + rank)` over both lists, best first.

    `depth` is how many of each list count; without weights both lists count alike, each as 1. A passage that neither
    list ranks scores 0 and comes last; a fresh one without an embedding has its place by the constant. `near_from` as
    above.
    """
    members = _distinct(candidates)
    constant = (weights or DEFAULT_WEIGHTS).fresh_vector_score
    bm25_weight, vector_weight = (weights.bm25, weights.vector) if weights else (1.0, 1.0)
    bm25_ranks, vector_ranks = (
        {id_: rank for id_, rank in ranks.items() if depth is None or rank <= depth}
        for ranks in _ranks([each._replace(vector=constant) if _is_placed(each) else each for each in members])
    )
    hits = []
    for member in members:
        bm25_rank, vector_rank = bm25_ranks.get(member.id), vector_ranks.get(member.id)
        bm25_part = bm25_weight / (k + bm25_rank) if bm25_rank else 0.0
        vector_part = vector_weight / (k + vector_rank) if vector_rank else 0.0
        hits.append(
            FusedHit(
                id=member.id,
                score=bm25_part + vector_part,
                bm25=member.bm25,
                vector=member.vector,
                bm25_part=bm25_part,
                vector_part=vector_part,
                bm25_rank=bm25_rank,
                vector_rank=vector_rank,
                is_placed_as_fresh=_is_placed(member),
                is_near=member.vector is not None and member.vector >= near_from,
            )
        )
    return sort_hits(hits)


def add_neighbour_scores(
    hits: Sequence[FusedHit], neighbours: Mapping[int, Sequence[int]], *, share: float = NEIGHBOUR_SHARE
) -> list[FusedHit]:
    """The hits of a conversation, each raised by a share of its best neighbour's own fused score.

    `neighbours` names the messages just before and after each hit. It works best when those messages are among the
    candidates with their true scores, so that a question that matches brings up its answer.
    """
    scores = {hit.id: hit.score for hit in hits}
    raised = []
    for hit in hits:
        best = max((scores.get(id_, 0.0) for id_ in neighbours.get(hit.id, ()) if id_ != hit.id), default=0.0)
        bonus = share * best
        raised.append(
            hit._replace(score=hit.score + bonus, neighbour_part=hit.neighbour_part + bonus) if bonus else hit
        )
    return sort_hits(raised)


def sort_hits(hits: Iterable[FusedHit]) -> list[FusedHit]:
    """The hits best first, ties by id."""
    by_id = sorted(hits, key=attrgetter("id"))
    by_id.sort(key=attrgetter("score"), reverse=True)
    return by_id


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each passage once, with finite scores: a distance to a zero vector comes out of the database as NaN."""
    members: dict[int, Candidate] = {}
    for candidate in candidates:
        members.setdefault(candidate.id, candidate if _is_finite(candidate) else _with_zeros(candidate))
    return list(members.values())


def _is_finite(candidate: Candidate) -> bool:
    return math.isfinite(candidate.bm25) and (candidate.vector is None or math.isfinite(candidate.vector))


def _with_zeros(candidate: Candidate) -> Candidate:
    vector = candidate.vector if candidate.vector is None or math.isfinite(candidate.vector) else 0.0
    return candidate._replace(bm25=candidate.bm25 if math.isfinite(candidate.bm25) else 0.0, vector=vector)


def _is_placed(member: Candidate) -> bool:
    return member.vector is None and member.is_fresh


def _find_range(scores: Iterable[float]) -> tuple[float, float]:
    """The lowest and the highest of the scores."""
    found = list(scores)
    return (min(found), max(found)) if found else (0.0, 0.0)


def _scale(score: float | None, span: tuple[float, float]) -> float:
    """The place of a score between the lowest and the highest, 0 to 1; where all are equal, 1. None counts as 0.

    Example: cosines of 0.74, 0.80 and 0.86 become 0, 0.5 and 1.
    """
    lowest, highest = span
    if score is None:
        return 0.0
    return (score - lowest) / (highest - lowest) if highest > lowest else 1.0


def _ranks(members: Sequence[Candidate]) -> tuple[dict[int, int], dict[int, int]]:
    """The places in the keyword list (passages that share a lexeme with the query) and in the vector list."""
    by_bm25 = sorted((-member.bm25, member.id) for member in members if member.bm25 > 0)
    by_vector = sorted((-member.vector, member.id) for member in members if member.vector is not None)
    return (
        {id_: rank for rank, (_, id_) in enumerate(by_bm25, start=1)},
        {id_: rank for rank, (_, id_) in enumerate(by_vector, start=1)},
    )
