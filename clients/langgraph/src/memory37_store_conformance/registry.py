"""The cases by name, in the order in which they are written."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memory37_store_conformance.subject import Capability, Subject


@dataclass(frozen=True)
class Case:
    """Something that every store does. `check` raises AssertionError where one does not."""

    name: str
    check: Callable[[Subject], None]
    needs: frozenset[Capability]

    def fits(self, subject: Subject) -> bool:
        """Whether the subject can do what the case asks."""
        return self.needs <= subject.capabilities


@dataclass(frozen=True)
class Disagreement:
    """Something that known stores do differently: what each of them is seen to do."""

    name: str
    observe: Callable[[Subject], str]
    seen: Mapping[str, str]
    needs: frozenset[Capability]

    @property
    def question(self) -> str:
        """What is asked."""
        return (self.observe.__doc__ or self.name).strip()


_CASES: dict[str, Case] = {}
_DISAGREEMENTS: dict[str, Disagreement] = {}


def case(*needs: Capability) -> Callable[[Callable[[Subject], None]], Callable[[Subject], None]]:
    """Registers a function as a case under its own name."""

    def register(check: Callable[[Subject], None]) -> Callable[[Subject], None]:
        name = check.__name__
        if name in _CASES:
            raise ValueError(f"There is a case {name!r} already.")
        _CASES[name] = Case(name, check, frozenset(needs))
        return check

    return register


def disagreement(*needs: Capability, **seen: str) -> Callable[[Callable[[Subject], str]], Callable[[Subject], str]]:
    """Registers a function that says what a store does, with what was seen: store to answer."""

    def register(observe: Callable[[Subject], str]) -> Callable[[Subject], str]:
        _DISAGREEMENTS[observe.__name__] = Disagreement(observe.__name__, observe, seen, frozenset(needs))
        return observe

    return register


def list_cases() -> list[Case]:
    """All cases."""
    _load()
    return list(_CASES.values())


def list_disagreements() -> list[Disagreement]:
    """All questions that known stores answer differently."""
    _load()
    return list(_DISAGREEMENTS.values())


def _load() -> None:
    package = importlib.import_module("memory37_store_conformance.cases")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
