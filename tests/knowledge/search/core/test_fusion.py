import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.search.core.fusion import (
    Candidate,
    FusedHit,
    FusionWeights,
    add_neighbour_scores,
    fuse_convex,
    fuse_rrf,
)

CANDIDATES = st.lists(
    st.builds(
        Candidate,
        id=st.integers(1, 10_000),
        bm25=st.floats(0, 100),
        vector=st.none() | st.floats(-1, 1),
        is_fresh=st.booleans(),
    ),
    unique_by=lambda candidate: candidate.id,
    max_size=20,
)


def ids(hits: list[FusedHit]) -> list[int]:
    return [hit.id for hit in hits]


def test_convex_weighs_both_scaled_lists() -> None:
    candidates = [Candidate(1, 10.0, 0.2), Candidate(2, 5.0, 0.8), Candidate(3, 0.0, 0.5)]
    hits = fuse_convex(candidates, weights=FusionWeights(bm25=3.0, vector=1.0))
    assert ids(hits) == [1, 2, 3]
    assert [hit.bm25_part for hit in hits] == pytest.approx([0.75, 0.375, 0.0])
    assert [hit.vector_part for hit in hits] == pytest.approx([0.0, 0.25, 0.125])
    assert (hits[1].bm25_rank, hits[1].vector_rank) == (2, 1)


def test_convex_ranks_alike_wherever_a_model_puts_its_cosines() -> None:
    """Scaled by the best, cosines of 0.74 to 0.86 leave all of them at 0.86 to 1: keywords would decide alone."""
    bm25 = [9.0, 8.5, 2.0, 0.0]
    near_zero, like_e5 = [0.1, 0.7, 0.2, 0.9], [0.745, 0.835, 0.76, 0.865]
    rankings = [
        ids(fuse_convex([Candidate(n, *scores) for n, scores in enumerate(zip(bm25, cosines, strict=True))]))
        for cosines in (near_zero, like_e5)
    ]
    assert rankings[0] == rankings[1] == [1, 0, 3, 2]


def test_one_candidate_alone_gets_all_of_both_lists() -> None:
    [hit] = fuse_convex([Candidate(1, 3.0, 0.76)])
    assert hit.score == pytest.approx(1.0)


def test_convex_is_not_drowned_by_a_vector_list_that_says_nothing() -> None:
    keyword_winner = Candidate(50, 12.0, 0.30)
    noise = [Candidate(place, 0.5, 0.31) for place in range(1, 40)]
    assert ids(fuse_convex([*noise, keyword_winner]))[0] == 50


def test_keyword_order_stands_without_any_vector() -> None:
    hits = fuse_convex([Candidate(1, 1.0, None), Candidate(2, 3.0, None), Candidate(3, 2.0, None)])
    assert ids(hits) == [2, 3, 1]
    assert all(hit.vector_part == 0 and hit.vector_rank is None for hit in hits)


def test_vector_order_stands_without_any_keyword() -> None:
    hits = fuse_convex([Candidate(1, 0.0, 0.1), Candidate(2, 0.0, 0.9), Candidate(3, 0.0, -0.5)])
    assert ids(hits) == [2, 1, 3]
    assert all(hit.bm25_rank is None for hit in hits)


def test_fresh_passage_is_placed_by_the_constant() -> None:
    hits = fuse_convex(
        [
            Candidate(1, 1.0, 0.1),
            Candidate(2, 0.0, 1.0),
            Candidate(3, 1.0, None, is_fresh=True),
            Candidate(4, 1.0, None),
        ],
        weights=FusionWeights(bm25=0.5, vector=0.5, fresh_vector_score=0.6),
    )
    assert ids(hits) == [3, 1, 2, 4]
    assert hits[0].is_placed_as_fresh
    assert hits[0].vector_part == pytest.approx(0.3)


def test_stale_passage_without_embedding_is_found_by_keywords_alone() -> None:
    (hit,) = fuse_convex([Candidate(1, 4.0, None)])
    assert hit.score == hit.bm25_part > 0
    assert not hit.is_placed_as_fresh


def test_scores_that_are_not_numbers_count_as_nothing() -> None:
    hits = fuse_convex([Candidate(1, 1.0, math.nan), Candidate(2, math.nan, 0.5), Candidate(3, math.inf, 0.1)])
    assert all(math.isfinite(hit.score) for hit in hits)
    assert ids(hits)[-1] == 3


def test_rrf_adds_reciprocal_ranks() -> None:
    hits = fuse_rrf([Candidate(1, 9.0, 0.1), Candidate(2, 5.0, 0.9), Candidate(3, 0.0, 0.5)])
    assert ids(hits) == [2, 1, 3]
    assert hits[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert hits[2].bm25_rank is None


def test_rrf_counts_only_the_depth_of_each_list() -> None:
    hits = fuse_rrf([Candidate(place, float(place), None) for place in range(1, 6)], depth=2)
    assert [hit.score > 0 for hit in hits] == [True, True, False, False, False]


def test_rrf_weights_the_lists() -> None:
    hits = fuse_rrf([Candidate(1, 0.0, 0.9), Candidate(2, 1.0, None)], weights=FusionWeights(bm25=0.1, vector=0.9))
    assert ids(hits) == [1, 2]


def test_neighbour_raises_the_answer_after_a_matching_question() -> None:
    hits = fuse_convex([Candidate(1, 9.0, 0.9), Candidate(2, 1.0, 0.1), Candidate(9, 2.0, 0.1)])
    assert ids(hits) == [1, 9, 2]
    raised = add_neighbour_scores(hits, {1: [2], 2: [1, 3], 9: [8]}, share=0.3)
    assert ids(raised) == [1, 2, 9]
    assert raised[1].neighbour_part == pytest.approx(0.3 * raised[0].bm25_part + 0.3 * raised[0].vector_part)
    assert raised[2].neighbour_part == 0


def test_a_message_is_not_its_own_neighbour() -> None:
    hits = fuse_convex([Candidate(1, 9.0, 0.9)])
    assert add_neighbour_scores(hits, {1: [1]})[0].score == hits[0].score


@pytest.mark.parametrize("weights", [(-1.0, 2.0), (0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0)])
def test_senseless_weights_are_refused(weights: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        FusionWeights(bm25=weights[0], vector=weights[1])


@given(CANDIDATES, st.randoms())
def test_order_of_the_input_never_matters(candidates: list[Candidate], shuffle: random.Random) -> None:
    shuffled = candidates[:]
    shuffle.shuffle(shuffled)
    assert fuse_convex(candidates) == fuse_convex(shuffled)
    assert fuse_rrf(candidates) == fuse_rrf(shuffled)


@given(CANDIDATES)
def test_parts_add_up_to_a_score_between_zero_and_one(candidates: list[Candidate]) -> None:
    hits = fuse_convex(candidates)
    assert sorted(ids(hits)) == sorted(candidate.id for candidate in candidates)
    for hit in hits:
        assert hit.score == pytest.approx(hit.bm25_part + hit.vector_part)
        assert -1e-9 <= hit.score <= 1 + 1e-9
