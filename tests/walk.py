"""How far one walks through our code to follow a call: functions of other files that are entered, and ways back."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

Place = tuple[str, str]
"""Module, qualified name of a function."""


@dataclass
class Walk:
    """The calls between modules of some packages, in the order in which they were first made."""

    packages: tuple[str, ...]
    aside: tuple[str, ...] = ()
    """Modules that are entered and not followed: features with an entry of their own."""
    interfaces: tuple[type, ...] = ()
    """Classes that others implement: each of their methods is one stop, whichever implementation answers."""
    steps: dict[Place, Place] = field(default_factory=dict)
    """Stop to the function from which it was first entered."""

    @property
    def stops(self) -> int:
        """How many functions of other files are entered, each counted once."""
        return len(self.steps)

    @property
    def returns(self) -> int:
        """How often the next stop is not entered from the last one: one goes back to read on."""
        return sum(caller != last for caller, last in zip(list(self.steps.values())[1:], self.steps, strict=False))

    def list_calls_upwards(self, layers: Sequence[str]) -> list[tuple[Place, Place]]:
        """Caller and stop, where the stop lies in a layer above; `layers` are names of modules, the highest first."""

        def rank(place: Place) -> int | None:
            return next((index for index, layer in enumerate(layers) if place[0].startswith(layer)), None)

        ranks = ((caller, stop, rank(caller), rank(stop)) for stop, caller in self.steps.items())
        return [(caller, stop) for caller, stop, low, high in ranks if None not in (low, high) and high < low]

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """What `sys.setprofile` calls."""
        if event != "call" or (stop := self._name(frame.f_code)) is None:
            return
        caller, outer = None, frame.f_back
        while outer is not None and caller is None:
            caller, outer = self._name(outer.f_code), outer.f_back
        if caller is not None and caller[0] != stop[0] and not caller[0].startswith(self.aside or ("-",)):
            self.steps.setdefault(self._name_interface(stop), self._name_interface(caller))

    def _name(self, code: CodeType) -> Place | None:
        place = name_place(code)
        return place if place and place[0].startswith(self.packages) else None

    def _name_interface(self, place: Place) -> Place:
        owner, _, method = place[1].rpartition(".")
        for interface in self.interfaces:
            found = getattr(sys.modules[place[0]], owner, None) if owner else None
            if isinstance(found, type) and issubclass(found, interface) and hasattr(interface, method):
                return interface.__module__, f"{interface.__qualname__}.{method}"
        return place


@functools.cache
def name_place(code: CodeType) -> Place | None:
    """Where a function is written; None for other people's code, comprehensions, and what reads as data (properties,
    generated methods).
    """
    path = Path(code.co_filename)
    *owners, name = code.co_qualname.split(".")
    if not path.is_relative_to(ROOT) or ".venv" in path.parts or name.startswith(("<", "__")) or "<locals>" in owners:
        return None
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    owner: Any = sys.modules.get(module)
    for each in owners:
        owner = getattr(owner, each, None)
    if owners and isinstance(inspect.getattr_static(owner, name, None), property | functools.cached_property):
        return None
    return module, code.co_qualname


@contextmanager
def follow(walk: Walk) -> Iterator[Walk]:
    """Notes all calls of this thread in the block."""
    sys.setprofile(walk.note)
    try:
        yield walk
    finally:
        sys.setprofile(None)
