import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.search.core.bm25 import (
    MAX_NON_ZEROS,
    BM25Params,
    ExactDocument,
    ExactIndex,
    document_weights,
    inverse_document_frequency,
    plan_query,
)
from knowledge.search.core.lexemes import sparse_index
from knowledge.text.analysis import lexeme_counts

WORDS = st.sampled_from(["dragon", "cave", "gold", "sword", "king", "the", "of", "moon"])
CORPORA = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=25)


def index_of(*texts: str) -> ExactIndex:
    return ExactIndex(ExactDocument(str(place), lexeme_counts(text)) for place, text in enumerate(texts))


def test_document_weights_follow_the_formula() -> None:
    weights = document_weights({"dragon": 3, "cave": 1}, length=200, pivot=100.0, params=BM25Params(k1=1.2, b=0.75))
    norm = 1.2 * (1 - 0.75 + 0.75 * 200 / 100)
    assert weights[sparse_index("dragon")] == pytest.approx(3 * 2.2 / (3 + norm))
    assert weights[sparse_index("cave")] == pytest.approx(2.2 / (1 + norm))


def test_document_weights_of_an_empty_partition_do_not_divide_by_zero() -> None:
    assert document_weights({"dragon": 1}, length=1, pivot=0.0) == {sparse_index("dragon"): pytest.approx(1.0)}
    assert document_weights({}, length=0, pivot=0.0) == {}


def test_only_the_largest_weights_of_a_huge_document_are_kept() -> None:
    counts = {f"word{place}": 1 + (place < 100) for place in range(MAX_NON_ZEROS + 500)}
    weights = document_weights(counts, length=sum(counts.values()), pivot=100.0)
    assert len(weights) == MAX_NON_ZEROS
    assert {sparse_index(f"word{place}") for place in range(100)} <= weights.keys()


def test_idf_is_never_negative_and_falls_with_frequency() -> None:
    values = [inverse_document_frequency(frequency, 10) for frequency in range(13)]
    assert all(value >= 0 for value in values)
    assert values == sorted(values, reverse=True)
    assert inverse_document_frequency(1, 1) == pytest.approx(math.log(4 / 3))


def test_rarer_words_rank_first() -> None:
    index = index_of("the king sleeps", "the king and the dragon", "the sword of the king")
    assert index.rank(lexeme_counts("king dragon"), limit=3)[0][0] == "1"


def test_ties_are_settled_by_id() -> None:
    corpus = [ExactDocument(name, {"gold": 1}) for name in ("c", "a", "b")]
    assert [found for found, _ in ExactIndex(corpus).rank({"gold": 1}, limit=2)] == ["a", "b"]


def test_unknown_words_and_empty_corpora_find_nothing() -> None:
    assert ExactIndex([]).rank({"gold": 1}, limit=5) == []
    assert index_of("the king").rank({"dragon": 1}, limit=5) == []


def test_plan_takes_the_rarest_terms_first_and_drops_unknown_ones() -> None:
    plan = plan_query({"the": 2, "dragon": 1, "nowhere": 1}, {"the": 90, "dragon": 3}, document_count=100)
    assert [term.lexeme for term in plan.terms] == ["dragon", "the"]
    assert plan.terms[1].weight == pytest.approx(2 * inverse_document_frequency(90, 100))
    assert plan.terms[1].highest_score == pytest.approx(plan.terms[1].weight * 2.2)
    assert plan.taken_for_frequency(50) == 1
    assert plan.taken_for_frequency(93) == 2
    assert plan.taken_for_frequency(0) == 1


def test_before_k_candidates_are_found_every_term_left_out_is_missing() -> None:
    plan = plan_query({"the": 1, "dragon": 1}, {"the": 90, "dragon": 3}, document_count=100)
    assert plan.list_missing(1, None) == [("the",)]
    assert plan.list_missing(2, None) == []
    assert plan.list_missing(1, 5.0) == []
    assert plan.list_missing(1, 0.01) == [("the",)]


def test_terms_that_reach_the_top_only_together_are_missing_together() -> None:
    counts = {"red": 30, "old": 40, "king": 2, "and": 90}
    plan = plan_query(dict.fromkeys(counts, 1), counts, document_count=100)
    red, old = plan.terms[1].highest_score, plan.terms[2].highest_score
    assert plan.list_missing(1, max(red, old)) == [("red", "old"), ("red", "and")]
    assert plan.list_missing(1, red + old - 0.01) == [("red", "old")]


def test_empty_plan_misses_nothing() -> None:
    assert plan_query({"x": 1}, {}, document_count=0).list_missing(0, None) == []


def test_many_common_terms_stay_few_sets() -> None:
    counts = {f"w{place}": 40 + place for place in range(200)}
    plan = plan_query(dict.fromkeys(counts, 1), counts, document_count=1000)
    missing = plan.list_missing(1, 40.0)
    assert sum(len(lexemes) > 1 for lexemes in missing) <= 24
    assert missing[0] == ("w1",)


@given(CORPORA, st.lists(WORDS, min_size=1, max_size=6), st.integers(1, 5))
@settings(deadline=None)
def test_what_the_plan_says_is_missing_completes_the_exact_top(
    corpus: list[list[str]], query: list[str], limit: int
) -> None:
    documents = {str(place): Counter(words) for place, words in enumerate(corpus)}
    index = ExactIndex(ExactDocument(name, counts) for name, counts in documents.items())
    counts = Counter(query)
    plan = plan_query(
        counts, {word: index.document_frequency(word) for word in counts}, document_count=index.document_count
    )
    everything = dict(index.rank(counts, limit=len(corpus)))
    best = sorted(everything.values(), reverse=True)[:limit]
    for taken in range(len(plan.terms) + 1):
        lexemes = {term.lexeme for term in plan.terms[:taken]}
        found = {name for name, held in documents.items() if lexemes & held.keys()}
        scores = sorted((everything[name] for name in found), reverse=True)
        missing = plan.list_missing(taken, scores[limit - 1] if len(scores) >= limit else None)
        found |= {name for name, held in documents.items() if any(held.keys() >= set(each) for each in missing)}
        assert sorted((everything[name] for name in found), reverse=True)[:limit] == pytest.approx(best)


@given(CORPORA, st.lists(WORDS, min_size=1, max_size=6))
@settings(deadline=None)
def test_dot_product_of_both_sides_is_the_exact_score(corpus: list[list[str]], query: list[str]) -> None:
    index = ExactIndex(ExactDocument(str(place), Counter(words)) for place, words in enumerate(corpus))
    counts = Counter(query)
    plan = plan_query(
        counts, {word: index.document_frequency(word) for word in counts}, document_count=index.document_count
    )
    for name, score in index.rank(counts, limit=len(corpus)):
        words = corpus[int(name)]
        weights = document_weights(Counter(words), length=len(words), pivot=index.pivot)
        dot = sum(term.weight * weights.get(sparse_index(term.lexeme), 0.0) for term in plan.terms)
        assert dot == pytest.approx(score)
        assert all(0 < weight < 2.2 for weight in weights.values())
