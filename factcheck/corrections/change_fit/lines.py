"""Labelled messages beside facts: what people do to what is known of them, and what only looks like it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factcheck.instant.core.change_cases import Change
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.labelled_lines import SAID_AT, is_meant, read_labelled_lines, read_previous
from factcheck.instant.core.patterns import CompiledPatterns
from knowledge.facts.core.types import DEFAULT_KEYS, LIFE_EVENT, NUMBER_TYPES, WISH_TYPES, canonical_key

STATEMENT_STEP = 12
"""Of the many statements, which say nothing of other facts, every twelfth is enough."""
_EXPECTED: Mapping[str, Change] = {"keep": "stays", "dispute_or_keep": "stays", "end": "ends"}


@dataclass(frozen=True, slots=True)
class LabelledChange:
    """A message with what it does to a fact, and one that it leaves alone."""

    language: str
    fact: KnownFact
    asked: str
    """What the assistant said last."""
    text: str
    change: Change
    new: str = ""
    """The words of the message that say what is so instead, or as well."""
    beside: tuple[KnownFact, ...] = ()
    """Further facts of the author, which the message does not touch."""


def read_labelled_changes(
    paths: Iterable[Path], compiled: CompiledPatterns, concepts: ConceptTable
) -> Iterator[LabelledChange]:
    """The lines of `qa/changes/lines` (`qa/changes/README.md`), with facts as they are kept of the words that state
    them.
    """
    for path in sorted(paths):
        for row in read_rows(path):
            own = _find_fact(row, compiled, concepts)
            beside = (_find_fact(row["beside"], compiled, concepts),) if row.get("beside") else ()
            yield LabelledChange(
                row["language"], own, row["asked"], row["message"], row["change"], row.get("new") or "",
                beside,
            )  # fmt: skip


def read_survivals(path: Path) -> Iterator[LabelledChange]:
    """Harmless remarks and plain denials beside what is known (`qa/facts/survival.jsonl`). Numbers are left out: some
    of the remarks state another one.
    """
    for row in read_rows(path):
        facts = [KnownFact(0, each["type"], each["key"], each["value"]) for each in row["known"]]
        about = [fact for fact in facts if not row.get("about") or fact.key in row["about"]]
        if about and about[0].type not in NUMBER_TYPES:
            beside = tuple(fact for fact in facts if fact not in about)
            asked = read_previous(row.get("context"))
            yield LabelledChange(row["language"], about[0], asked, row["text"], _EXPECTED[row["expect"]], beside=beside)


def read_statements(paths: Sequence[Path], known: Sequence[LabelledChange]) -> Iterator[LabelledChange]:
    """Statements and other talk (`qa/facts`), each beside another person's fact of a type that it does not state."""
    of_language: dict[str, list[KnownFact]] = {}
    for each in known:
        of_language.setdefault(each.language, []).append(each.fact)
    for number, line in enumerate(read_labelled_lines(paths, with_answers=True)[::STATEMENT_STEP]):
        facts = [fact for fact in of_language.get(line.language, ()) if fact.type not in line.kinds]
        if facts:
            yield LabelledChange(line.language, facts[number % len(facts)], line.previous, line.text, "stays")


def read_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """The lines of a file, empty ones left out."""
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _find_fact(told: Mapping[str, str], compiled: CompiledPatterns, concepts: ConceptTable) -> KnownFact:
    """The fact as patterns hear it; where they do not, as its label has it."""
    type_, value = told["type"], told["fact"]
    heard = extract_facts(told["said"], compiled=compiled, concepts=concepts, now=SAID_AT)
    meant = [each for each in heard if is_meant(each, {"type": type_, "any_of": [value]}, concepts)]
    of_type = [each for each in heard if each.type == type_ or {each.type, type_} <= set(WISH_TYPES)]
    for each in meant or (of_type if len(of_type) == 1 else []):
        return KnownFact(0, each.type, each.key, each.value)
    concept = concepts.find(value, "event" if type_ == LIFE_EVENT else type_)
    if concept is not None:
        return KnownFact(0, type_, concept.key, concept.key.replace("_", " "))
    return KnownFact(0, type_, DEFAULT_KEYS.get(type_) or canonical_key(value), value)
