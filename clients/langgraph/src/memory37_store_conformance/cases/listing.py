"""Namespaces that hold items."""

from __future__ import annotations

from langgraph.store.base import ListNamespacesOp, MatchCondition

from memory37_store_conformance.registry import case
from memory37_store_conformance.subject import Subject

PLACES = [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f"), ("a", "c", "f"), ("z",)]


def _fill(subject: Subject) -> None:
    for place in reversed(PLACES):
        for key in ("k", "l"):
            subject.store.put(place, key, {})


@case()
def an_empty_store_has_no_namespaces(subject: Subject) -> None:
    assert subject.store.list_namespaces() == []


@case()
def each_namespace_is_listed_once_and_in_order(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces() == PLACES


@case()
def namespaces_are_found_by_prefix(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces(prefix=("a", "b")) == PLACES[:4]
    assert subject.store.list_namespaces(prefix=("z",)) == [("z",)]
    assert subject.store.list_namespaces(prefix=("b",)) == []


@case()
def namespaces_are_found_by_suffix(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces(suffix=("f",)) == [("a", "b", "f"), ("a", "c", "f")]
    assert subject.store.list_namespaces(suffix=("d", "i")) == [("a", "b", "d", "i")]


@case()
def prefix_and_suffix_both_hold(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces(prefix=("a", "b"), suffix=("f",)) == [("a", "b", "f")]


@case()
def an_asterisk_is_any_one_label(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces(prefix=("a", "*", "f")) == [("a", "b", "f"), ("a", "c", "f")]
    assert subject.store.list_namespaces(suffix=("d", "*")) == [("a", "b", "d", "e"), ("a", "b", "d", "i")]
    assert subject.store.list_namespaces(prefix=("*", "*", "*", "*")) == [("a", "b", "d", "e"), ("a", "b", "d", "i")]


@case()
def a_path_longer_than_a_namespace_does_not_match(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces(prefix=("z", "*")) == []
    assert subject.store.list_namespaces(suffix=("a", "z")) == []


@case()
def a_depth_cuts_namespaces_and_lists_each_once(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces(max_depth=1) == [("a",), ("z",)]
    assert subject.store.list_namespaces(max_depth=2) == [("a", "b"), ("a", "c"), ("z",)]
    assert subject.store.list_namespaces(max_depth=9) == PLACES


@case()
def a_depth_cuts_after_the_conditions(subject: Subject) -> None:
    """The example of LangGraph's own documentation."""
    _fill(subject)
    found = subject.store.list_namespaces(prefix=("a", "b"), max_depth=3)
    assert found == [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]
    assert subject.store.list_namespaces(suffix=("i",), max_depth=1) == [("a",)]


@case()
def namespaces_come_in_pages(subject: Subject) -> None:
    _fill(subject)
    assert subject.store.list_namespaces(limit=2) == PLACES[:2]
    assert subject.store.list_namespaces(limit=2, offset=2) == PLACES[2:4]
    assert subject.store.list_namespaces(limit=2, offset=5) == PLACES[5:]
    assert subject.store.list_namespaces(offset=6) == []
    assert subject.store.list_namespaces(max_depth=1, limit=1, offset=1) == [("z",)]


@case()
def paths_match_whole_labels(subject: Subject) -> None:
    for label in ("user_1", "user_10", "userX1", "user%", "a+b", "(a|b)", "\\d"):
        subject.store.put((label, "x"), "k", {})
    for label in ("user_1", "user%", "a+b", "(a|b)", "\\d"):
        assert subject.store.list_namespaces(prefix=(label,)) == [(label, "x")], label
    assert subject.store.list_namespaces(prefix=("user",)) == []


@case()
def conditions_may_be_several_of_one_kind(subject: Subject) -> None:
    _fill(subject)
    conditions = (MatchCondition("prefix", ("a",)), MatchCondition("prefix", ("*", "c")))
    assert subject.store.batch([ListNamespacesOp(match_conditions=conditions)]) == [[("a", "c", "f")]]


@case()
def a_condition_without_a_path_holds_for_all(subject: Subject) -> None:
    _fill(subject)
    conditions = (MatchCondition("prefix", ()), MatchCondition("suffix", ()))
    assert subject.store.batch([ListNamespacesOp(match_conditions=conditions)]) == [PLACES]


@case()
def a_namespace_with_an_item_left_stays_listed(subject: Subject) -> None:
    _fill(subject)
    subject.store.delete(("z",), "k")
    assert subject.store.list_namespaces(prefix=("z",)) == [("z",)]
