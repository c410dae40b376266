"""Predicates of relations: one direction for each, and which of them hold of one thing at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.text.folding import normalise

MENTIONS = "mentions"
MEMBER_OF = "member_of"
MAX_PREDICATE_LENGTH = 64
_NOT_IN_PREDICATE = re.compile(r"[^\w]+")

_INVERSE: Mapping[str, str] = {
    "kept_by": "keeps",
    "keeper": "keeps",
    "owned_by": "owns",
    "owner": "owns",
    "held_by": "holds",
    "carried_by": "holds",
    "led_by": "leads",
    "leader": "leads",
    "head": "leads",
    "ruled_by": "rules",
    "ruler": "rules",
    "made_by": "made",
    "built_by": "made",
    "contains": "located_in",
    "has_member": "member_of",
    "members": "member_of",
    "child_of": "parent_of",
    "taught_by": "teaches",
    "followed_by": "follows",
    "served_by": "serves",
    "guarded_by": "guards",
    "guardian": "guards",
    "told_by": "told",
    "created_by": "made",
    "maker": "made",
    "loved_by": "loves",
    "employed_by": "employs",
}
"""A predicate that is said from the other end, to the one that it turns into."""
_SAME: Mapping[str, str] = {
    "lives_in": "lives_in",
    "at": "located_in",
    "in": "located_in",
    "is_in": "located_in",
    "located_at": "located_in",
    "belongs_to": "member_of",
    "has": "holds",
    "carries": "holds",
    "possesses": "owns",
    "has_item": "holds",
}
SINGLE_OBJECT = frozenset({"located_in", "lives_in"})
"""In play a thing is in one place at a time."""
SINGLE_SUBJECT = frozenset({"owns", "holds", "keeps"})
"""In play a thing is in one hand at a time."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate in its canonical direction; `is_turned` says that subject and object change places."""

    name: str
    is_turned: bool = False


def canonical_predicate(text: str) -> Predicate:
    """The predicate in one spelling and one direction. Worked example: "Kept by" is `keeps`, turned."""
    name = _NOT_IN_PREDICATE.sub("_", normalise(text)).strip("_")[:MAX_PREDICATE_LENGTH]
    if name in _INVERSE:
        return Predicate(_INVERSE[name], is_turned=True)
    return Predicate(_SAME.get(name, name))


def make_slot(predicate: str, src: int, dst: int) -> str:
    """What only one relation of an owner may hold at a time; empty for predicates that hold of many."""
    if predicate in SINGLE_OBJECT:
        return f"{predicate}:of:{src}"
    if predicate in SINGLE_SUBJECT:
        return f"{predicate}:to:{dst}"
    return ""
