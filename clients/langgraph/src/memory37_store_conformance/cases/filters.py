"""Items below a prefix, narrowed by filters, in pages."""

from __future__ import annotations

from typing import Any

from memory37_store_conformance.registry import case
from memory37_store_conformance.subject import Subject

VALUES: dict[str, dict[str, Any]] = {
    "red": {"color": "red", "size": 1, "sold": True, "tags": ["a", "b"], "price": 1.5, "note": None},
    "blue": {"color": "blue", "size": 2, "sold": False, "tags": ["a"], "price": 2.5, "note": "x"},
    "green": {"color": "green", "size": 3, "sold": False, "tags": [], "price": 3.5, "note": "y"},
}


def _fill(subject: Subject) -> None:
    for key, value in VALUES.items():
        subject.store.put(("shop",), key, value)


def _find(subject: Subject, *prefix: str, **more: Any) -> list[str]:
    return sorted(item.key for item in subject.store.search(prefix, **more))


@case()
def a_search_finds_the_items_of_a_namespace(subject: Subject) -> None:
    _fill(subject)
    subject.store.put(("other",), "x", {})
    assert _find(subject, "shop") == ["blue", "green", "red"]


@case()
def a_search_finds_the_items_below_a_namespace(subject: Subject) -> None:
    subject.store.put(("a",), "top", {})
    subject.store.put(("a", "b"), "mid", {})
    subject.store.put(("a", "b", "c"), "low", {})
    subject.store.put(("b", "a"), "other", {})
    assert _find(subject, "a") == ["low", "mid", "top"]
    assert _find(subject, "a", "b") == ["low", "mid"]
    assert _find(subject, "c") == []


@case()
def a_prefix_is_made_of_whole_labels(subject: Subject) -> None:
    for label in ("user_1", "user_10", "userX1", "u%"):
        subject.store.put((label,), label, {})
    assert _find(subject, "user_1") == ["user_1"]
    assert _find(subject, "u%") == ["u%"]
    assert _find(subject, "user") == []


@case()
def what_is_found_is_whole(subject: Subject) -> None:
    subject.store.put(("shop", "left"), "red", VALUES["red"])
    [found] = subject.store.search(("shop",))
    assert (found.namespace, found.key, found.value) == (("shop", "left"), "red", VALUES["red"])
    assert found.created_at.tzinfo is not None


@case()
def without_a_query_there_is_no_score(subject: Subject) -> None:
    _fill(subject)
    assert {item.score for item in subject.store.search(("shop",))} == {None}


@case()
def ten_items_are_found_unless_more_are_asked_for(subject: Subject) -> None:
    for n in range(12):
        subject.store.put(("many",), f"k{n}", {"n": n})
    assert len(subject.store.search(("many",))) == 10
    assert len(subject.store.search(("many",), limit=100)) == 12


@case()
def items_come_in_pages(subject: Subject) -> None:
    for n in range(7):
        subject.store.put(("many",), f"k{n}", {"n": n})
    pages = [_find(subject, "many", limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert sorted(key for page in pages for key in page) == [f"k{n}" for n in range(7)]


@case()
def a_filter_asks_for_equal_members(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"color": "red"}) == ["red"]
    assert _find(subject, "shop", filter={"size": 2}) == ["blue"]
    assert _find(subject, "shop", filter={"sold": False}) == ["blue", "green"]
    assert _find(subject, "shop", filter={"price": 3.5}) == ["green"]
    assert _find(subject, "shop", filter={"color": "Red"}) == []


@case()
def all_members_of_a_filter_hold(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"sold": False, "size": 3}) == ["green"]
    assert _find(subject, "shop", filter={"sold": True, "size": 3}) == []


@case()
def an_empty_filter_narrows_nothing(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={}) == ["blue", "green", "red"]


@case()
def a_member_that_is_not_there_equals_nothing(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"weight": 1}) == []
    assert _find(subject, "shop", filter={"weight": {"$eq": "red"}}) == []


@case()
def lists_are_equal_as_a_whole(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"tags": ["a", "b"]}) == ["red"]
    assert _find(subject, "shop", filter={"tags": ["b", "a"]}) == []
    assert _find(subject, "shop", filter={"tags": []}) == ["green"]
    assert _find(subject, "shop", filter={"tags": "a"}) == []


@case()
def null_equals_null(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"note": None}) == ["red"]


@case()
def eq_is_equality(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"color": {"$eq": "blue"}}) == ["blue"]


@case()
def ne_is_its_opposite(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"color": {"$ne": "blue"}}) == ["green", "red"]
    assert _find(subject, "shop", filter={"tags": {"$ne": ["a"]}}) == ["green", "red"]


@case()
def gt_and_lt_leave_the_bound_out(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"size": {"$gt": 1}}) == ["blue", "green"]
    assert _find(subject, "shop", filter={"size": {"$lt": 3}}) == ["blue", "red"]
    assert _find(subject, "shop", filter={"price": {"$gt": 3.5}}) == []


@case()
def gte_and_lte_take_the_bound_in(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"size": {"$gte": 2}}) == ["blue", "green"]
    assert _find(subject, "shop", filter={"price": {"$lte": 2.5}}) == ["blue", "red"]


@case()
def two_operators_on_a_member_both_hold(subject: Subject) -> None:
    _fill(subject)
    assert _find(subject, "shop", filter={"size": {"$gt": 1, "$lt": 3}}) == ["blue"]


@case()
def a_filter_is_asked_before_the_page_is_cut(subject: Subject) -> None:
    for n in range(9):
        subject.store.put(("many",), f"k{n}", {"odd": n % 2 == 1})
    pages = [_find(subject, "many", filter={"odd": True}, limit=3, offset=offset) for offset in (0, 3)]
    assert sorted(key for page in pages for key in page) == ["k1", "k3", "k5", "k7"]


@case()
def a_filter_goes_with_the_new_value(subject: Subject) -> None:
    _fill(subject)
    subject.store.put(("shop",), "red", {"color": "blue"})
    assert _find(subject, "shop", filter={"color": "red"}) == []
    assert _find(subject, "shop", filter={"color": "blue"}) == ["blue", "red"]


@case()
def names_of_members_are_no_code(subject: Subject) -> None:
    names = ["a'b", 'a"b', "a b", "a%sb", "имя"]
    subject.store.put(("odd",), "k", dict.fromkeys(names, 1))
    for name in names:
        assert _find(subject, "odd", filter={name: 1}) == ["k"], name
        assert _find(subject, "odd", filter={name: {"$gt": 1}}) == [], name
