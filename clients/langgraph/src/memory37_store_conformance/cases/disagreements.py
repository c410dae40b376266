"""What known stores do differently. Each function says in a word what a store is seen to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.store.base import PutOp

from memory37_store_conformance.registry import disagreement
from memory37_store_conformance.subject import Capability, Subject


def _find(subject: Subject, filter_: dict[str, Any]) -> str:
    """The keys that a filter finds, or `refused`."""
    return _ask(lambda: ",".join(sorted(item.key for item in subject.store.search((), filter=filter_))) or "nothing")


def _ask(call: Callable[[], str]) -> str:
    try:
        return call()
    except Exception:  # noqa: BLE001 - that a store raises is what is seen
        return "refused"


@disagreement(InMemoryStore="is that of the put", PostgresStore="stays", Memory37Store="stays")
def created_at_after_a_second_put(subject: Subject) -> str:
    """When was an item created that was put twice?"""
    subject.store.put(("a",), "k", {"n": 1})
    before = subject.store.get(("a",), "k").created_at  # type: ignore[union-attr]
    subject.store.put(("a",), "k", {"n": 2})
    return "stays" if subject.store.get(("a",), "k").created_at == before else "is that of the put"  # type: ignore[union-attr]


@disagreement(InMemoryStore="oldest first", PostgresStore="newest first", Memory37Store="newest first")
def order_without_a_query(subject: Subject) -> str:
    """In which order does a search without a query answer?"""
    for key in ("one", "two"):
        subject.store.put(("a",), key, {})
    return "oldest first" if subject.store.search(("a",))[0].key == "one" else "newest first"


@disagreement(InMemoryStore="ten", PostgresStore="nothing", Memory37Store="ten")
def numbers_of_several_digits(subject: Subject) -> str:
    """Is 10 greater than 9?"""
    subject.store.put(("a",), "ten", {"n": 10})
    return _find(subject, {"n": {"$gt": 9}})


@disagreement(InMemoryStore="refused", PostgresStore="late", Memory37Store="late")
def order_of_texts(subject: Subject) -> str:
    """Are texts, such as dates, in an order?"""
    for key, day in (("early", "2026-01-09"), ("late", "2026-02-01")):
        subject.store.put(("a",), key, {"day": day})
    return _find(subject, {"day": {"$gt": "2026-01-31"}})


@disagreement(InMemoryStore="refused", PostgresStore="has", Memory37Store="has")
def order_with_a_member_that_is_missing(subject: Subject) -> str:
    """What does `$gt` do with an item that lacks the member?"""
    subject.store.put(("a",), "has", {"n": 5})
    subject.store.put(("a",), "lacks", {})
    return _find(subject, {"n": {"$gt": 1}})


@disagreement(InMemoryStore="refused", PostgresStore="number,text", Memory37Store="number")
def order_of_mixed_types(subject: Subject) -> str:
    """Is a text greater than a number?"""
    subject.store.put(("a",), "number", {"n": 5})
    subject.store.put(("a",), "text", {"n": "five"})
    return _find(subject, {"n": {"$gt": 1}})


@disagreement(InMemoryStore="lacks,other", PostgresStore="other", Memory37Store="lacks,other")
def ne_with_a_member_that_is_missing(subject: Subject) -> str:
    """Does `$ne` find an item that lacks the member?"""
    subject.store.put(("a",), "same", {"n": 1})
    subject.store.put(("a",), "other", {"n": 2})
    subject.store.put(("a",), "lacks", {})
    return _find(subject, {"n": {"$ne": 1}})


@disagreement(InMemoryStore="lacks,null", PostgresStore="null", Memory37Store="lacks,null")
def null_with_a_member_that_is_missing(subject: Subject) -> str:
    """Does null find an item that lacks the member?"""
    subject.store.put(("a",), "null", {"n": None})
    subject.store.put(("a",), "lacks", {})
    return _find(subject, {"n": None})


@disagreement(InMemoryStore="wide", PostgresStore="refused", Memory37Store="wide")
def members_of_members(subject: Subject) -> str:
    """Does `{"size": {"width": 3}}` ask a member of a member?"""
    subject.store.put(("a",), "wide", {"size": {"width": 3, "height": 1}})
    return _find(subject, {"size": {"width": 3}})


@disagreement(InMemoryStore="one,true", PostgresStore="one", Memory37Store="one")
def truth_and_one(subject: Subject) -> str:
    """Is true equal to 1?"""
    subject.store.put(("a",), "one", {"n": 1})
    subject.store.put(("a",), "true", {"n": True})
    return _find(subject, {"n": 1})


@disagreement(InMemoryStore="listed", PostgresStore="not listed", Memory37Store="not listed")
def a_namespace_without_items(subject: Subject) -> str:
    """Is a namespace listed whose last item was deleted?"""
    subject.store.put(("a",), "k", {})
    subject.store.delete(("a",), "k")
    return "listed" if subject.store.list_namespaces() else "not listed"


@disagreement(InMemoryStore="listed", PostgresStore="not listed", Memory37Store="not listed")
def a_namespace_that_was_only_read(subject: Subject) -> str:
    """Does a get make a namespace?"""
    subject.store.get(("a",), "k")
    return "listed" if subject.store.list_namespaces() else "not listed"


@disagreement(InMemoryStore="changed", PostgresStore="unchanged", Memory37Store="unchanged")
def a_value_that_the_caller_changes(subject: Subject) -> str:
    """Does changing a value that was got change what is kept?"""
    subject.store.put(("a",), "k", {"list": [1]})
    subject.store.get(("a",), "k").value["list"].append(2)  # type: ignore[union-attr]
    kept = subject.store.get(("a",), "k").value  # type: ignore[union-attr]
    return "unchanged" if kept == {"list": [1]} else "changed"


@disagreement(InMemoryStore="kept", PostgresStore="refused", Memory37Store="refused")
def values_that_are_no_json(subject: Subject) -> str:
    """Is a value kept that has no form in JSON?"""

    def keep() -> str:
        subject.store.put(("a",), "k", {"n": object()})
        return "kept"

    return _ask(keep)


@disagreement(InMemoryStore="tuple", PostgresStore="list", Memory37Store="list")
def tuples(subject: Subject) -> str:
    """What becomes of a tuple?"""
    subject.store.put(("a",), "k", {"n": (1, 2)})
    return type(subject.store.get(("a",), "k").value["n"]).__name__  # type: ignore[union-attr]


@disagreement(InMemoryStore="kept", PostgresStore="refused", Memory37Store="refused")
def nul_in_a_text(subject: Subject) -> str:
    """Is a text with NUL kept?"""

    def keep() -> str:
        subject.store.put(("a",), "k", {"n": "a\x00b"})
        return "kept"

    return _ask(keep)


@disagreement(InMemoryStore="kept", PostgresStore="refused", Memory37Store="refused")
def a_period_in_a_label_of_a_raw_operation(subject: Subject) -> str:
    """Does `batch` check what `put` checks?"""

    def keep() -> str:
        subject.store.batch([PutOp(("a.b",), "k", {"n": 1})])
        return "kept"

    return _ask(keep)


@disagreement(InMemoryStore="refused", PostgresStore="ignored", Memory37Store="refused")
def an_unknown_operation(subject: Subject) -> str:
    """What does `batch` do with what is no operation?"""

    def ask() -> str:
        subject.store.batch([("no", "operation")])  # type: ignore[list-item]
        return "ignored"

    return _ask(ask)


@disagreement(InMemoryStore="kept", PostgresStore="kept", Memory37Store="refused")
def an_empty_key(subject: Subject) -> str:
    """Is an empty key a key?"""

    def keep() -> str:
        subject.store.put(("a",), "", {"n": 1})
        return "kept"

    return _ask(keep)


@disagreement(InMemoryStore="float", PostgresStore="float", Memory37Store="int")
def whole_numbers_with_a_point(subject: Subject) -> str:
    """Is 3.0 still a float?"""
    subject.store.put(("a",), "k", {"n": 3.0})
    return type(subject.store.get(("a",), "k").value["n"]).__name__  # type: ignore[union-attr]


@disagreement(
    Capability.SEARCH,
    InMemoryStore="at the end, without a score",
    PostgresStore="left out",
    Memory37Store="left out",
)
def items_without_an_index_in_a_ranked_search(subject: Subject) -> str:
    """Where does a query put an item that was not indexed?"""
    subject.store.put(("a",), "found", {"text": "a dog"})
    subject.store.put(("a",), "plain", {"text": "a dog"}, index=False)
    subject.settle()
    found = subject.store.search(("a",), query="a dog")
    if [item.key for item in found] == ["found"]:
        return "left out"
    return "at the end, without a score" if found[-1].key == "plain" and found[-1].score is None else "among the others"


@disagreement(
    Capability.SEARCH, InMemoryStore="by its old text", PostgresStore="by its old text", Memory37Store="not at all"
)
def an_item_whose_index_is_taken_away(subject: Subject) -> str:
    """How is an item found that was indexed once and is put again with `index=False`?"""
    subject.store.put(("a",), "k", {"text": "a dog"})
    subject.store.put(("a",), "k", {"text": "a secret"}, index=False)
    subject.settle()
    found = [item for item in subject.store.search(("a",), query="a dog") if item.score is not None]
    return "by its old text" if found else "not at all"


@disagreement(InMemoryStore="refused", PostgresStore="kept", Memory37Store="kept")
def an_item_with_an_end(subject: Subject) -> str:
    """May an item end?"""

    def keep() -> str:
        subject.store.put(("a",), "k", {"n": 1}, ttl=10)
        return "kept"

    return _ask(keep)


@disagreement(Capability.TTL, PostgresStore="it has ended", Memory37Store="it lives on")
def a_part_of_a_minute(subject: Subject) -> str:
    """What does reading do to an item that ends in 24 seconds?"""
    subject.store.put(("a",), "k", {"n": 1}, ttl=0.4)
    subject.store.get(("a",), "k")
    return "it lives on" if subject.store.get(("a",), "k") is not None else "it has ended"
