"""Several operations at once."""

from __future__ import annotations

from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from memory37_store_conformance.registry import case
from memory37_store_conformance.subject import Subject

PLACE = ("users", "ada")


@case()
def a_batch_of_nothing_answers_nothing(subject: Subject) -> None:
    assert subject.store.batch([]) == []


@case()
def answers_stand_in_the_order_of_the_operations(subject: Subject) -> None:
    subject.store.put(PLACE, "a", {"n": 1})
    subject.store.put(("other",), "b", {"n": 2})
    results = subject.store.batch(
        [
            GetOp(("other",), "b"),
            PutOp(PLACE, "c", {"n": 3}),
            ListNamespacesOp(),
            SearchOp(PLACE),
            GetOp(PLACE, "missing"),
            PutOp(PLACE, "d", None),
            GetOp(PLACE, "a"),
        ]
    )
    assert len(results) == 7
    assert results[0].value == {"n": 2}  # type: ignore[union-attr]
    assert results[1] is None
    assert results[2] == [("other",), PLACE]
    assert [item.key for item in results[3]] == ["a"]  # type: ignore[union-attr]
    assert [results[4], results[5]] == [None, None]
    assert results[6].value == {"n": 1}  # type: ignore[union-attr]


@case()
def puts_of_a_batch_are_all_kept(subject: Subject) -> None:
    assert subject.store.batch([PutOp(PLACE, f"k{n}", {"n": n}) for n in range(40)]) == [None] * 40
    found = subject.store.batch([GetOp(PLACE, f"k{n}") for n in range(40)])
    assert [item.value for item in found] == [{"n": n} for n in range(40)]  # type: ignore[union-attr]


@case()
def one_item_may_be_got_twice(subject: Subject) -> None:
    subject.store.put(PLACE, "a", {"n": 1})
    found = subject.store.batch([GetOp(PLACE, "a"), GetOp(PLACE, "b"), GetOp(PLACE, "a")])
    assert [None if item is None else item.value for item in found] == [{"n": 1}, None, {"n": 1}]  # type: ignore[union-attr]


@case()
def reads_see_what_stood_before_the_batch(subject: Subject) -> None:
    subject.store.put(PLACE, "a", {"n": 1})
    results = subject.store.batch(
        [PutOp(PLACE, "a", {"n": 2}), PutOp(PLACE, "b", {}), GetOp(PLACE, "a"), GetOp(PLACE, "b"), SearchOp(PLACE)]
    )
    assert results[2].value == {"n": 1}  # type: ignore[union-attr]
    assert results[3] is None
    assert [item.value for item in results[4]] == [{"n": 1}]  # type: ignore[union-attr]
    assert subject.store.get(PLACE, "a").value == {"n": 2}  # type: ignore[union-attr]


@case()
def of_two_puts_of_one_item_the_last_holds(subject: Subject) -> None:
    subject.store.batch([PutOp(PLACE, "a", {"n": 1}), PutOp(PLACE, "b", {"n": 5}), PutOp(PLACE, "a", {"n": 2})])
    assert subject.store.get(PLACE, "a").value == {"n": 2}  # type: ignore[union-attr]
    assert subject.store.get(PLACE, "b").value == {"n": 5}  # type: ignore[union-attr]


@case()
def a_put_and_then_a_delete_leave_nothing(subject: Subject) -> None:
    subject.store.batch([PutOp(PLACE, "a", {"n": 1}), PutOp(PLACE, "a", None)])
    assert subject.store.get(PLACE, "a") is None


@case()
def a_delete_and_then_a_put_leave_the_item(subject: Subject) -> None:
    subject.store.put(PLACE, "a", {"n": 1})
    subject.store.batch([PutOp(PLACE, "a", None), PutOp(PLACE, "a", {"n": 2})])
    assert subject.store.get(PLACE, "a").value == {"n": 2}  # type: ignore[union-attr]


@case()
def a_put_of_none_deletes(subject: Subject) -> None:
    subject.store.put(PLACE, "a", {"n": 1})
    subject.store.put(PLACE, "b", {"n": 2})
    assert subject.store.batch([PutOp(PLACE, "a", None)]) == [None]
    assert [item.key for item in subject.store.search(PLACE)] == ["b"]


@case()
def operations_may_come_from_a_generator(subject: Subject) -> None:
    subject.store.batch(PutOp(PLACE, f"k{n}", {"n": n}) for n in range(3))
    assert len(subject.store.batch(GetOp(PLACE, f"k{n}") for n in range(3))) == 3


@case()
def several_searches_are_answered_each_by_itself(subject: Subject) -> None:
    subject.store.put(("a",), "k", {"n": 1})
    subject.store.put(("b",), "k", {"n": 2})
    first, second, third = subject.store.batch([SearchOp(("b",)), SearchOp(("a",)), SearchOp(("c",))])
    assert [item.value["n"] for item in first] == [2]  # type: ignore[union-attr]
    assert [item.value["n"] for item in second] == [1]  # type: ignore[union-attr]
    assert third == []


@case()
def several_listings_are_answered_each_by_itself(subject: Subject) -> None:
    subject.store.put(("a", "x"), "k", {})
    subject.store.put(("b", "x"), "k", {})
    first, second = subject.store.batch(
        [
            ListNamespacesOp(match_conditions=(MatchCondition("prefix", ("b",)),)),
            ListNamespacesOp(max_depth=1),
        ]
    )
    assert first == [("b", "x")]
    assert second == [("a",), ("b",)]
