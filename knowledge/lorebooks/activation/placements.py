"""Where the entries that fired stand in the prompt."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from knowledge.lorebooks.activation.as_written import sort_by_order
from knowledge.lorebooks.activation.candidates import Candidate
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.core.book import Number
from knowledge.lorebooks.core.vocabulary import Position, Role


@dataclass(frozen=True, slots=True)
class Placement:
    """One entry in the prompt."""

    world: str
    uid: str
    text: str
    position: str
    order: Number | None  # None where the file has no number
    depth: int | None = None
    role: str | None = None
    outlet: str | None = None


@dataclass(frozen=True, slots=True)
class DepthBlock:
    """What is put in so many messages before the end, in one role: one message."""

    depth: int
    role: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placements:
    """The entries, each part in the order of the prompt: a higher order is nearer the end.

    The texts of a part are joined by line breaks; `before` and `after` are joined already.
    """

    entries: tuple[Placement, ...] = ()
    before: str = ""
    after: str = ""
    an_top: tuple[str, ...] = ()
    an_bottom: tuple[str, ...] = ()
    em_top: tuple[str, ...] = ()
    em_bottom: tuple[str, ...] = ()
    at_depth: tuple[DepthBlock, ...] = ()
    outlets: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain lists and dictionaries."""
        return asdict(self)


def build_placements(activated: Iterable[Candidate], settings: ActivationSettings) -> Placements:
    """The parts of the prompt. Entries without content, and of an outlet without a name, have no place.

    By descending order, each part is filled from its end; an outlet from its beginning, as in SillyTavern, which so
    turns its order round. Ours does not.
    """
    parts: dict[Position, list[str]] = {position: [] for position in Position}
    depths: dict[tuple[int, Role], list[str]] = {}
    outlets: dict[str, list[str]] = {}
    placed: list[Placement] = []
    for candidate in sort_by_order(activated, lambda candidate: candidate.entry.order):
        entry = candidate.entry
        if not has_place(candidate):
            continue
        placed.append(_build_placement(candidate))
        if entry.position is Position.AT_DEPTH:
            depths.setdefault((entry.depth, entry.role), []).insert(0, candidate.content)
        elif entry.position is Position.OUTLET:
            texts = outlets.setdefault(entry.outlet, [])
            texts.insert(len(texts) if settings.is_faithful else 0, candidate.content)
        else:
            parts[entry.position].insert(0, candidate.content)
    return Placements(
        tuple(reversed(placed)),
        "\n".join(parts[Position.BEFORE_CHAR]), "\n".join(parts[Position.AFTER_CHAR]),
        tuple(parts[Position.AN_TOP]), tuple(parts[Position.AN_BOTTOM]),
        tuple(parts[Position.EM_TOP]), tuple(parts[Position.EM_BOTTOM]),
        tuple(DepthBlock(depth, role.value, tuple(texts)) for (depth, role), texts in depths.items()),
        {name: tuple(texts) for name, texts in outlets.items()},
    )  # fmt: skip


def has_place(candidate: Candidate) -> bool:
    """Whether the entry can stand anywhere: it has content, a position, and the name of its outlet."""
    entry = candidate.entry
    is_nameless = entry.position is Position.OUTLET and not entry.outlet
    return bool(candidate.content) and candidate.compiled.has_position and not is_nameless


def _build_placement(candidate: Candidate) -> Placement:
    entry = candidate.entry
    is_deep = entry.position is Position.AT_DEPTH
    return Placement(
        candidate.compiled.world, entry.uid, candidate.content, entry.position.value,
        entry.order if math.isfinite(entry.order) else None,
        entry.depth if is_deep else None, entry.role.value if is_deep else None,
        entry.outlet if entry.position is Position.OUTLET else None,
    )  # fmt: skip
