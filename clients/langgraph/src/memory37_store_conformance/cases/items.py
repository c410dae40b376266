"""Items by key: put, get, delete."""

from __future__ import annotations

from datetime import datetime

from memory37_store_conformance.registry import case
from memory37_store_conformance.subject import Subject

PLACE = ("users", "ada")


def _keep(subject: Subject, value: object, key: str = "k") -> object:
    """The value under `value`, as it comes back."""
    subject.store.put(PLACE, key, {"value": value})
    found = subject.store.get(PLACE, key)
    assert found is not None
    return found.value["value"]


@case()
def an_item_that_was_put_is_got(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {"cups": 3})
    found = subject.store.get(PLACE, "tea")
    assert found is not None
    assert found.value == {"cups": 3}


@case()
def what_is_not_there_is_none(subject: Subject) -> None:
    assert subject.store.get(PLACE, "tea") is None
    subject.store.put(PLACE, "tea", {})
    assert subject.store.get(PLACE, "milk") is None
    assert subject.store.get(("users", "bob"), "tea") is None


@case()
def an_item_names_its_namespace_and_key(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {})
    found = subject.store.get(PLACE, "tea")
    assert found is not None
    assert (found.namespace, found.key) == (PLACE, "tea")
    assert isinstance(found.namespace, tuple)


@case()
def a_put_replaces_the_whole_value(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {"cups": 3, "sugar": False})
    subject.store.put(PLACE, "tea", {"cups": 4})
    found = subject.store.get(PLACE, "tea")
    assert found is not None
    assert found.value == {"cups": 4}


@case()
def times_are_aware_and_in_order(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {})
    found = subject.store.get(PLACE, "tea")
    assert found is not None
    assert isinstance(found.created_at, datetime)
    assert found.created_at.tzinfo is not None
    assert found.updated_at.tzinfo is not None
    assert abs((found.updated_at - found.created_at).total_seconds()) < 1


@case()
def a_put_moves_the_time_of_change(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {"cups": 1})
    first = subject.store.get(PLACE, "tea")
    assert first is not None
    before = first.updated_at
    subject.store.put(PLACE, "tea", {"cups": 2})
    second = subject.store.get(PLACE, "tea")
    assert second is not None
    assert second.updated_at > before


@case()
def a_get_changes_no_time(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {})
    first, second = subject.store.get(PLACE, "tea"), subject.store.get(PLACE, "tea")
    assert first is not None
    assert second is not None
    assert (first.created_at, first.updated_at) == (second.created_at, second.updated_at)


@case()
def a_deleted_item_is_gone(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {})
    subject.store.put(PLACE, "milk", {})
    subject.store.delete(PLACE, "tea")
    assert subject.store.get(PLACE, "tea") is None
    assert subject.store.get(PLACE, "milk") is not None


@case()
def deleting_what_is_not_there_is_no_error(subject: Subject) -> None:
    subject.store.delete(PLACE, "tea")
    subject.store.delete(PLACE, "tea")
    assert subject.store.get(PLACE, "tea") is None


@case()
def what_was_deleted_can_be_put_again(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {"cups": 1})
    subject.store.delete(PLACE, "tea")
    subject.store.put(PLACE, "tea", {"cups": 2})
    found = subject.store.get(PLACE, "tea")
    assert found is not None
    assert found.value == {"cups": 2}


@case()
def one_key_in_two_namespaces_is_two_items(subject: Subject) -> None:
    subject.store.put(("a",), "k", {"in": "a"})
    subject.store.put(("b",), "k", {"in": "b"})
    subject.store.delete(("a",), "k")
    found = subject.store.get(("b",), "k")
    assert found is not None
    assert found.value == {"in": "b"}


@case()
def a_namespace_below_is_another_namespace(subject: Subject) -> None:
    subject.store.put(("a", "b"), "k", {"in": "ab"})
    assert subject.store.get(("a",), "k") is None
    assert subject.store.get(("b",), "k") is None
    assert subject.store.get(("a", "b", "c"), "k") is None


@case()
def the_order_of_labels_counts(subject: Subject) -> None:
    subject.store.put(("a", "b"), "k", {"in": "ab"})
    assert subject.store.get(("b", "a"), "k") is None


@case()
def json_values_come_back_as_they_were(subject: Subject) -> None:
    value = {"text": "x", "none": None, "yes": True, "no": False, "int": 7, "float": 1.5, "list": [1, [2, {"a": []}]]}
    assert _keep(subject, value) == value
    found = _keep(subject, [True, 1, None])
    assert isinstance(found, list)
    assert [type(each) for each in found] == [bool, int, type(None)]


@case()
def an_empty_value_is_a_value(subject: Subject) -> None:
    subject.store.put(PLACE, "tea", {})
    found = subject.store.get(PLACE, "tea")
    assert found is not None
    assert found.value == {}


@case()
def texts_of_all_scripts_come_back(subject: Subject) -> None:
    text = "почему не взяли монгу? 为什么 لماذا 🫖 e\u0301 \u200f\"\\'\n\t%s {} $1"
    assert _keep(subject, text) == text
    assert _keep(subject, {text: text}) == {text: text}


@case()
def large_values_come_back(subject: Subject) -> None:
    text = "ab c" * 25_000
    assert _keep(subject, text) == text


@case()
def deep_values_come_back(subject: Subject) -> None:
    value: dict[str, object] = {}
    for _ in range(30):
        value = {"in": value}
    assert _keep(subject, value) == value


@case()
def keys_are_any_text(subject: Subject) -> None:
    keys = ["a/b", "a b", "a.b", "%", "_", "'", '"', "\\", "*", "ключ", "🗝", "k" * 200, "null", "0"]
    for place, key in enumerate(keys):
        subject.store.put(PLACE, key, {"place": place})
    for place, key in enumerate(keys):
        found = subject.store.get(PLACE, key)
        assert found is not None, key
        assert (found.key, found.value) == (key, {"place": place})


@case()
def labels_are_any_text_without_a_period(subject: Subject) -> None:
    labels = ["a/b", "a b", "%", "_", "'", '"', "\\", "*x", "метка", "🏷", "l" * 100, "{a,b}", "NULL"]
    for place, label in enumerate(labels):
        subject.store.put(("root", label), "k", {"place": place})
    for place, label in enumerate(labels):
        found = subject.store.get(("root", label), "k")
        assert found is not None, label
        assert (found.namespace, found.value) == (("root", label), {"place": place})


@case()
def upper_and_lower_case_are_apart(subject: Subject) -> None:
    subject.store.put(("A",), "K", {"n": 1})
    assert subject.store.get(("a",), "K") is None
    assert subject.store.get(("A",), "k") is None


@case()
def a_deep_namespace_is_kept(subject: Subject) -> None:
    place = tuple(f"label{depth}" for depth in range(12))
    subject.store.put(place, "k", {"n": 1})
    found = subject.store.get(place, "k")
    assert found is not None
    assert found.namespace == place
