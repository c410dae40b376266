"""Items ranked by a query."""

from __future__ import annotations

from memory37_store_conformance.registry import case
from memory37_store_conformance.subject import Capability, Subject

TEXTS = {
    "tea": "she drinks green tea every morning",
    "dog": "her dog is called Bruno and barks",
    "train": "the train to Lisbon leaves on Friday",
    "bridge": "the old bridge has eleven stone arches",
}


def _fill(subject: Subject, *prefix: str) -> None:
    for key, text in TEXTS.items():
        subject.store.put(prefix or ("notes",), key, {"text": text, "length": len(text)})
    subject.settle()


@case(Capability.SEARCH)
def the_item_that_shares_words_comes_first(subject: Subject) -> None:
    _fill(subject)
    for key, text in TEXTS.items():
        assert subject.store.search(("notes",), query=text)[0].key == key
    assert subject.store.search(("notes",), query="her dog Bruno")[0].key == "dog"


@case(Capability.SEARCH)
def scores_are_numbers_and_fall(subject: Subject) -> None:
    _fill(subject)
    found = subject.store.search(("notes",), query="green tea every morning")
    scores = [item.score for item in found]
    assert all(isinstance(score, float) for score in scores)
    assert scores == sorted(scores, reverse=True)  # type: ignore[type-var]


@case(Capability.SEARCH)
def a_query_ranks_and_leaves_nothing_out(subject: Subject) -> None:
    _fill(subject)
    found = subject.store.search(("notes",), query="her dog Bruno")
    assert sorted(item.key for item in found) == sorted(TEXTS)


@case(Capability.SEARCH)
def a_query_keeps_to_the_prefix(subject: Subject) -> None:
    _fill(subject, "notes", "ada")
    _fill(subject, "notes", "bob")
    found = subject.store.search(("notes", "bob"), query="her dog Bruno")
    assert {item.namespace for item in found} == {("notes", "bob")}
    assert len(subject.store.search(("notes",), query="her dog Bruno")) == 2 * len(TEXTS)


@case(Capability.SEARCH)
def a_query_keeps_to_the_filter(subject: Subject) -> None:
    _fill(subject)
    length = len(TEXTS["train"])
    found = subject.store.search(("notes",), query="her dog Bruno", filter={"length": length})
    assert [item.key for item in found] == [key for key, text in TEXTS.items() if len(text) == length]


@case(Capability.SEARCH)
def a_limit_keeps_the_best(subject: Subject) -> None:
    _fill(subject)
    assert [item.key for item in subject.store.search(("notes",), query="train to Lisbon", limit=1)] == ["train"]


@case(Capability.SEARCH)
def ranked_items_come_in_pages(subject: Subject) -> None:
    _fill(subject)
    whole = [item.key for item in subject.store.search(("notes",), query="old stone bridge")]
    pages = [
        [item.key for item in subject.store.search(("notes",), query="old stone bridge", limit=2, offset=offset)]
        for offset in (0, 2, 4)
    ]
    assert pages == [whole[:2], whole[2:], []]


@case(Capability.SEARCH)
def a_put_replaces_what_is_found(subject: Subject) -> None:
    _fill(subject)
    subject.store.put(("notes",), "dog", {"text": "the cat sleeps"})
    subject.store.put(("notes",), "bridge", {"text": TEXTS["dog"]})
    subject.settle()
    assert subject.store.search(("notes",), query=TEXTS["dog"])[0].key == "bridge"


@case(Capability.SEARCH)
def a_deleted_item_is_found_no_more(subject: Subject) -> None:
    _fill(subject)
    subject.store.delete(("notes",), "dog")
    assert "dog" not in {item.key for item in subject.store.search(("notes",), query=TEXTS["dog"])}


@case(Capability.SEARCH)
def only_the_fields_of_the_index_are_searched(subject: Subject) -> None:
    subject.store.put(("notes",), "a", {"title": "a walk by the river", "body": TEXTS["dog"]}, index=["title"])
    subject.store.put(("notes",), "b", {"title": TEXTS["dog"], "body": "a walk by the river"}, index=["title"])
    subject.settle()
    assert subject.store.search(("notes",), query=TEXTS["dog"])[0].key == "b"
    assert subject.store.search(("notes",), query="a walk by the river")[0].key == "a"


@case(Capability.SEARCH)
def fields_within_lists_are_searched_each_by_itself(subject: Subject) -> None:
    talk = {"messages": [{"content": TEXTS["tea"]}, {"content": TEXTS["dog"]}]}
    subject.store.put(("notes",), "talk", talk, index=["messages[*].content"])
    subject.store.put(("notes",), "train", {"text": TEXTS["train"]})
    subject.settle()
    for text in (TEXTS["tea"], TEXTS["dog"]):
        found = [item.key for item in subject.store.search(("notes",), query=text)]
        assert found == ["talk", "train"]


@case(Capability.SEARCH)
def nested_fields_and_places_are_searched(subject: Subject) -> None:
    value = {"meta": {"title": TEXTS["tea"]}, "tags": ["x", TEXTS["dog"]], "body": TEXTS["train"]}
    subject.store.put(("notes",), "a", value, index=["meta.title", "tags[-1]"])
    subject.store.put(("notes",), "b", {"body": "nothing of that"}, index=["body"])
    subject.settle()
    for text in (TEXTS["tea"], TEXTS["dog"]):
        assert subject.store.search(("notes",), query=text)[0].key == "a"


@case(Capability.SEARCH)
def an_item_that_is_not_indexed_is_still_got(subject: Subject) -> None:
    subject.store.put(("notes",), "dog", {"text": TEXTS["dog"]}, index=False)
    assert subject.store.get(("notes",), "dog") is not None
    assert [item.key for item in subject.store.search(("notes",))] == ["dog"]


@case(Capability.SEARCH)
def a_query_of_an_empty_place_finds_nothing(subject: Subject) -> None:
    assert subject.store.search(("notes",), query="her dog") == []
    _fill(subject)
    assert subject.store.search(("elsewhere",), query="her dog") == []
