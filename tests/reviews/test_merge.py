"""Three-way merging of articles, by paragraph and field."""

import pytest

from reviews.change_requests.core.merge import merge_articles, merge_texts
from reviews.golden.core.scores import Expectation, average, judge, subtract

BASE = "one\n\ntwo\n\nthree\n\nfour"


@pytest.mark.parametrize(
    ("mine", "live", "merged"),
    [
        (BASE, "one\n\ntwo", "one\n\ntwo"),
        ("ONE\n\ntwo\n\nthree\n\nfour", "one\n\ntwo\n\nthree\n\nFOUR", "ONE\n\ntwo\n\nthree\n\nFOUR"),
        ("one\n\ntwo\n\nthree\n\nfour\n\nfive", "zero\n\none\n\ntwo\n\nthree\n\nfour", "zero\n\n" + BASE + "\n\nfive"),
        ("one\n\nthree\n\nfour", "one\n\ntwo\n\nthree", "one\n\nthree"),
        ("one\n\nTWO\n\nthree\n\nfour", "one\n\nTWO\n\nthree\n\nfour", "one\n\nTWO\n\nthree\n\nfour"),
        ("one\n\nmine\n\nthree\n\nfour", "one\n\ntheirs\n\nthree\n\nfour", None),
        ("one\n\nthree\n\nfour", "one\n\nTWO\n\nthree\n\nfour", None),
        (BASE + "\n\nmine", BASE + "\n\ntheirs", None),
    ],
)
def test_texts_merge_where_the_sides_changed_different_paragraphs(mine: str, live: str, merged: str | None):
    assert merge_texts(BASE, mine, live) == merged
    assert merge_texts(BASE, live, mine) == merged


def test_fields_merge_as_a_whole_and_conflicts_are_named():
    base = {"title": "Bell", "tags": ["a"], "body": BASE}
    mine = base | {"title": "Great bell", "source": "me"}
    live = base | {"tags": ["a", "b"]}
    assert merge_articles(base, mine, live).content == mine | {"tags": ["a", "b"]}
    clash = merge_articles(base, mine, base | {"title": "Small bell"})
    assert (clash.clean, clash.conflicts) == (False, ("title",))


def test_field_taken_away_by_one_side_stays_away():
    base = {"title": "Bell", "source": "book", "body": BASE}
    without = {"title": "Bell", "body": BASE}
    assert merge_articles(base, base | {"title": "Gong"}, without).content == {"title": "Gong", "body": BASE}


def test_metrics_of_a_golden_query_are_those_of_the_books():
    expectation = Expectation(key="q", k=3, must_hit=("a",), relevant={"b": 1})
    verdict = judge(expectation, ["x", "a", "x", "b"])
    assert (verdict.found, verdict.missed) == (("x", "a", "b"), ())
    assert verdict.metrics == {
        "rr": 0.5,
        "recall": 1.0,
        # (3 / log2 3 + 1 / log2 4) / (3 / log2 2 + 1 / log2 3)
        "ndcg": pytest.approx(0.659002, abs=1e-5),
        "must_hit": 1.0,
    }
    assert judge(expectation, ["x", "y", "z", "a"]).missed == ("a",)


def test_query_that_only_forbids_has_no_metrics_to_average():
    verdict = judge(Expectation(key="q", k=3, must_not_hit=("a",)), ["b", "c", "d", "a"])
    assert (verdict.forbidden, verdict.metrics) == (("a",), {})
    assert average([verdict.metrics, {"rr": 1.0}, {"rr": 0.5}]) == {"rr": 0.75}
    assert subtract({"rr": 0.75, "ndcg": 1.0}, {"rr": 1.0}) == {"rr": -0.25}
