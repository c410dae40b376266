"""A message beside what is known of its author, as the layers that read changes of mind read the two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.narrative_modes import Span
from knowledge.facts.core.types import DEFAULT_KEYS, FACT_TYPES, WISH_TYPES

Change = Literal["stays", "ends", "replaced", "narrowed", "added", "moved", "doubted"]
CHANGES: tuple[Change, ...] = ("stays", "ends", "replaced", "narrowed", "added", "moved", "doubted")
"""What a message does to a known fact; `added` says another one of its type, and leaves it."""
TELLING_CHANGES: tuple[Change, ...] = ("replaced", "narrowed", "added", "moved")
"""Those of which a message says what is so instead, as well, or when."""
MAX_CASE_FACTS = 6
"""Facts that are read at once; a message seldom changes more than one."""
MAX_MESSAGE_LENGTH = 400
"""Characters; a longer message is not read: its end may take back what its beginning says."""
MAX_FACT_LENGTH, MAX_ASKED_LENGTH = 40, 120
"""Characters; of a longer fact the first are read, of what the assistant said the last."""
_BREAK = " || "
_FACT_BREAK = " | "
_LABELS = {"intolerance": "allergy", "ban": "never", "event": "event"}
"""By how words take a fact back; a sum has the name of its type."""


@dataclass(frozen=True, slots=True)
class ReadChange:
    """What layers take a message to do to one fact."""

    fact: KnownFact
    change: Change
    probability: float
    """The probability that they give it."""
    version: str
    """Of their weights."""
    new: Span | None = None
    """Where the message as typed says what is so instead, or as well."""
    is_sure: bool = True
    """Whether it is likelier than the limit of its change; else it counts where a clause says so, too."""


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """One text for the layers, with the places of its parts."""

    text: str
    facts: tuple[Span, ...]
    """Where each fact stands."""
    start: int
    """Where the message begins."""
    marks: tuple[int, ...]
    """Of each letter the number of the fact (from 1) that it tells or names; 0: none."""


@dataclass(frozen=True, slots=True)
class ChangeCase:
    """What one reading holds against each other."""

    facts: tuple[KnownFact, ...]
    asked: str
    """What the assistant said last; it may be empty."""
    text: str

    def write(self, concepts: ConceptTable) -> WrittenCase:
        """The text that the layers read; each fact has a number, which also marks the words that name it."""
        written, marks, places = "", list[int](), list[Span]()
        for number, fact in enumerate(self.facts, start=1):
            described = describe_fact(fact)
            before = _FACT_BREAK if written else ""
            places.append((len(written) + len(before), len(written) + len(before) + len(described)))
            written += before + described
            marks += [0] * len(before) + [number] * len(described)
        asked, text = self.asked[-MAX_ASKED_LENGTH:], self.text[:MAX_MESSAGE_LENGTH]
        for part in (asked, text):
            written += _BREAK + part
            marks += [0] * len(_BREAK) + list(_mark_named(part, self.facts, concepts))
        return WrittenCase(written, tuple(places), len(written) - len(text), tuple(marks))


def describe_fact(fact: KnownFact) -> str:
    """A fact in a few words: "allergy: kebdeh (liver)", "shoe size: 42", "wish language: English"."""
    key, type_ = fact.key.replace("_", " "), FACT_TYPES[fact.type]
    label = fact.type if "money" in type_.key_rules else _LABELS.get(type_.correction)
    if label is not None:
        is_told = key in {fact.value.casefold(), DEFAULT_KEYS.get(fact.type)}
        described = f"{label}: {fact.value}{'' if is_told else f' ({key})'}"
    elif fact.type in WISH_TYPES:
        described = f"wish {key}: {fact.value}"
    else:
        described = f"{key}: {fact.value}"
    return described[:MAX_FACT_LENGTH]


def choose_facts(facts: Sequence[KnownFact], *, asked: str, text: str, concepts: ConceptTable) -> tuple[KnownFact, ...]:
    """As many facts as are read at once: those that the message names come first, then those that the assistant named,
    then the latest.
    """
    if len(facts) <= MAX_CASE_FACTS:
        return tuple(facts)
    own, other = (stem_text(fold_message(each).text) for each in (text, asked))

    def rank(fact: KnownFact) -> tuple[bool, bool, int]:
        return not find_mentions(own, fact, concepts), not find_mentions(other, fact, concepts), -fact.id

    return tuple(sorted(facts, key=rank)[:MAX_CASE_FACTS])


def _mark_named(text: str, facts: Sequence[KnownFact], concepts: ConceptTable) -> Iterator[int]:
    """Of each letter of a text the number of the first fact that it names; 0: none."""
    message = fold_message(text)
    stemmed = stem_text(message.text)
    marks = [0] * len(text)
    for number, fact in reversed(list(enumerate(facts, start=1))):
        for start, end in find_mentions(stemmed, fact, concepts):
            first, last = message.locate(start, end)
            marks[first:last] = [number] * (last - first)
    yield from marks
