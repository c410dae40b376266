"""Items that end."""

from __future__ import annotations

from langgraph.store.base import GetOp, PutOp, SearchOp

from memory37_store_conformance.registry import case
from memory37_store_conformance.subject import Capability, Subject

PLACE = ("short",)


def _is_there(subject: Subject) -> bool:
    return subject.store.get(PLACE, "k", refresh_ttl=False) is not None


@case(Capability.TTL)
def the_store_says_that_items_end(subject: Subject) -> None:
    assert subject.store.supports_ttl is True


@case(Capability.TTL)
def an_item_is_there_until_it_ends(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    assert _is_there(subject)
    subject.pass_time(9)
    assert _is_there(subject)
    subject.pass_time(2)
    assert not _is_there(subject)


@case(Capability.TTL)
def what_has_ended_is_found_and_listed_no_more(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.store.put(("long",), "k", {"n": 2})
    subject.pass_time(11)
    assert subject.store.search((), refresh_ttl=False)[0].namespace == ("long",)
    assert len(subject.store.search(())) == 1
    assert subject.store.list_namespaces() == [("long",)]


@case(Capability.TTL)
def an_item_without_an_end_stays(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=None)
    subject.pass_time(1_000_000)
    assert _is_there(subject)


@case(Capability.TTL)
def a_get_puts_the_end_off(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.pass_time(8)
    assert subject.store.get(PLACE, "k") is not None
    subject.pass_time(8)
    assert _is_there(subject)
    subject.pass_time(3)
    assert not _is_there(subject)


@case(Capability.TTL)
def a_search_puts_the_end_off(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.pass_time(8)
    assert len(subject.store.search(PLACE)) == 1
    subject.pass_time(8)
    assert _is_there(subject)


@case(Capability.TTL)
def a_read_need_not_put_the_end_off(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.pass_time(8)
    subject.store.get(PLACE, "k", refresh_ttl=False)
    subject.store.search(PLACE, refresh_ttl=False)
    subject.store.batch([GetOp(PLACE, "k", refresh_ttl=False), SearchOp(PLACE, refresh_ttl=False)])
    subject.pass_time(3)
    assert not _is_there(subject)


@case(Capability.TTL)
def a_put_begins_the_time_anew(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.pass_time(8)
    subject.store.put(PLACE, "k", {"n": 2}, ttl=10)
    subject.pass_time(8)
    assert _is_there(subject)


@case(Capability.TTL)
def a_put_without_an_end_takes_the_end_away(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.store.put(PLACE, "k", {"n": 2})
    subject.pass_time(11)
    assert _is_there(subject)


@case(Capability.TTL)
def ends_of_a_batch_are_each_their_own(subject: Subject) -> None:
    subject.store.batch([PutOp(PLACE, "k", {}, ttl=10), PutOp(PLACE, "l", {}, ttl=30), PutOp(PLACE, "m", {})])
    subject.pass_time(20)
    assert sorted(item.key for item in subject.store.search(PLACE)) == ["l", "m"]


@case(Capability.TTL)
def the_other_items_of_a_search_stay_as_they_are(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.store.put(PLACE, "l", {"n": 2}, ttl=10)
    subject.pass_time(8)
    subject.store.search(PLACE, filter={"n": 2})
    subject.pass_time(3)
    assert [item.key for item in subject.store.search(PLACE)] == ["l"]


@case(Capability.TTL)
def what_has_ended_can_be_put_again(subject: Subject) -> None:
    subject.store.put(PLACE, "k", {"n": 1}, ttl=10)
    subject.pass_time(11)
    subject.store.put(PLACE, "k", {"n": 2}, ttl=10)
    found = subject.store.get(PLACE, "k")
    assert found is not None
    assert found.value == {"n": 2}
