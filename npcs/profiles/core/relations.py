"""What an NPC passes on to another: part of its profile."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memoryproject.json_schema import FormError

Shares = Literal["all", "rumour", "none"]
DEFAULT_STRENGTH = 3
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_TOKENS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("strength", re.compile(rf"strength {_NUMBER}")),
    ("delay", re.compile(rf"delay {_NUMBER}")),
    ("disposition_min", re.compile(rf"from {_NUMBER}")),
    ("disposition_max", re.compile(rf"up to {_NUMBER}")),
)


@dataclass(frozen=True, slots=True)
class Relation:
    """How an NPC stands to another one, and what it tells it. One way: the other has its own."""

    npc_id: str
    kind: str
    strength: int = DEFAULT_STRENGTH
    """1 to 5. Of several who could tell the same, the one of the strongest relation did."""
    shares: Shares = "none"
    """`all`: what it saw or was told. `rumour`: that, as a rumour, which sets no flags. `none`: nothing."""
    delay: int = 0
    """How many more scenes end before it tells what it learned in one."""
    disposition_min: float | None = None
    """It tells of a party only while it stands towards it at least so. None: however it stands."""
    disposition_max: float | None = None

    def as_content(self) -> dict[str, Any]:
        """The relation in the form of `schemas/npc_profile.schema.json`; bounds only where there are any."""
        content: dict[str, Any] = {
            "npc_id": self.npc_id,
            "kind": self.kind,
            "strength": self.strength,
            "shares": self.shares,
            "delay": self.delay,
        }
        for name in ("disposition_min", "disposition_max"):
            if getattr(self, name) is not None:
                content[name] = getattr(self, name)
        return content

    def is_open(self, disposition: float) -> bool:
        """Whether it tells of a party towards which the teller stands so."""
        return (self.disposition_min is None or disposition >= self.disposition_min) and (
            self.disposition_max is None or disposition <= self.disposition_max
        )


def make_relations(content: Sequence[Mapping[str, Any]]) -> tuple[Relation, ...]:
    """The relations of content that fits its schema."""
    return tuple(
        Relation(
            npc_id=each["npc_id"],
            kind=each["kind"].strip(),
            strength=int(each.get("strength", DEFAULT_STRENGTH)),
            shares=each.get("shares", "none"),
            delay=int(each.get("delay", 0)),
            disposition_min=each.get("disposition_min"),
            disposition_max=each.get("disposition_max"),
        )
        for each in content
    )


def find_relation_errors(npc_id: str, relations: Sequence[Relation]) -> list[FormError]:
    """What can't be among relations that each fit the schema."""
    errors, seen = [], set()
    for index, each in enumerate(relations):
        path = f"static.relations[{index}]"
        if each.npc_id == npc_id:
            errors.append({"path": f"{path}.npc_id", "message": "is the NPC itself"})
        if each.npc_id in seen:
            errors.append({"path": f"{path}.npc_id", "message": f"{each.npc_id!r} is named twice"})
        seen.add(each.npc_id)
        if None not in (each.disposition_min, each.disposition_max) and not each.is_open(each.disposition_min or 0):
            errors.append({"path": f"{path}.disposition_min", "message": "is above disposition_max"})
    return errors


def write_relation(relation: Relation) -> str:
    """A relation as one line of the designer's form.

    >>> write_relation(Relation("oda-marr", "old friend", strength=4, shares="all", delay=1, disposition_min=2))
    'oda-marr: old friend, all, strength 4, delay 1, from 2'
    """
    parts = [relation.kind, relation.shares, f"strength {relation.strength}", f"delay {relation.delay}"]
    if relation.disposition_min is not None:
        parts.append(f"from {relation.disposition_min:g}")
    if relation.disposition_max is not None:
        parts.append(f"up to {relation.disposition_max:g}")
    return f"{relation.npc_id}: {', '.join(parts)}"


def read_relation(line: str) -> dict[str, Any]:
    """The content of one line of the designer's form; what is not understood stays in it for the schema to refuse."""
    npc_id, _, rest = line.partition(":")
    kind, *tokens = [part.strip() for part in rest.split(",")]
    content: dict[str, Any] = {"npc_id": npc_id.strip(), "kind": kind}
    for token in tokens:
        found = next(((name, match) for name, form in _TOKENS if (match := form.fullmatch(token))), None)
        if found is None:
            content["shares"] = token
        else:
            number = float(found[1][1])
            content[found[0]] = int(number) if number.is_integer() else number
    return content
