"""Namespaces and operations that no store takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.store.base import InvalidNamespaceError

from memory37_store_conformance.registry import case
from memory37_store_conformance.subject import Subject


def _expect(kind: type[BaseException], call: Callable[[], Any]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")


def _refuse_everywhere(subject: Subject, namespace: Any) -> None:
    store = subject.store
    _expect(InvalidNamespaceError, lambda: store.put(namespace, "k", {}))
    _expect(InvalidNamespaceError, lambda: store.get(namespace, "k"))
    _expect(InvalidNamespaceError, lambda: store.delete(namespace, "k"))
    _expect(InvalidNamespaceError, lambda: store.search(namespace))
    _expect(InvalidNamespaceError, lambda: store.list_namespaces(prefix=namespace))
    _expect(InvalidNamespaceError, lambda: store.list_namespaces(suffix=namespace))
    assert store.search(()) == []


@case()
def an_empty_namespace_takes_no_item(subject: Subject) -> None:
    _expect(InvalidNamespaceError, lambda: subject.store.put((), "k", {}))
    assert subject.store.search(()) == []


@case()
def an_empty_label_is_refused(subject: Subject) -> None:
    _refuse_everywhere(subject, ("a", ""))


@case()
def a_label_with_a_period_is_refused(subject: Subject) -> None:
    _refuse_everywhere(subject, ("a.b",))


@case()
def a_label_that_is_no_text_is_refused(subject: Subject) -> None:
    _refuse_everywhere(subject, ("a", 7))


@case()
def the_root_langgraph_takes_no_item(subject: Subject) -> None:
    _expect(InvalidNamespaceError, lambda: subject.store.put(("langgraph", "a"), "k", {}))
    subject.store.put(("a", "langgraph"), "k", {"n": 1})
    assert subject.store.get(("a", "langgraph"), "k") is not None


@case()
def an_invalid_namespace_is_a_value_error(subject: Subject) -> None:
    _expect(ValueError, lambda: subject.store.put(("a.b",), "k", {}))


@case()
def an_unknown_operator_is_refused(subject: Subject) -> None:
    subject.store.put(("a",), "k", {"n": 1})
    _expect(Exception, lambda: subject.store.search(("a",), filter={"n": {"$near": 1}}))
