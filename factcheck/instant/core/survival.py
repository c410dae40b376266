"""Trying whether what is known survives a message: the cases of `qa/facts/survival.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.correction_results import Correction
from factcheck.instant.core.corrections import KnownFact, detect_corrections
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import fold
from factcheck.instant.core.patterns import CompiledPatterns

What = Literal["ended", "disputed", "kept"]


@dataclass(frozen=True, slots=True)
class Survival:
    """What came of a case: the keys that ended and those in doubt."""

    ended: frozenset[str]
    disputed: frozenset[str]
    corrections: tuple[Correction, ...]

    def holds(self, expect: str, about: Sequence[str] = ()) -> bool:
        """Whether it is as expected: `keep`, `dispute_or_keep`, or `end` of just the keys that it is about."""
        if expect == "end":
            return self.ended == frozenset(about)
        return not self.ended and (expect == "dispute_or_keep" or not self.disputed)


class ChangeLister(Protocol):
    """What lists the changes that fitted layers read."""

    def __call__(
        self, text: str, *, asked: str, facts: Sequence[KnownFact], concepts: ConceptTable
    ) -> Sequence[ReadChange]:
        """See `factcheck.instant.change_reader.list_changes`; none of a message that nothing takes for a change."""
        ...


def try_case(
    case: Mapping[str, Any], compiled: CompiledPatterns, concepts: ConceptTable,
    list_changes: ChangeLister | None = None,
) -> Survival:  # fmt: skip
    """What the message of a case does to what is known, after its context: by rules, and by fitted layers where they
    are given.
    """
    facts = [
        KnownFact(place, fact["type"], fact["key"], fact["value"], source=fact.get("source", "instant_pattern"))
        for place, fact in enumerate(case["known"])
    ]
    context = list(case.get("context") or ())
    before = next((each["text"] for each in reversed(context) if each["role"] == "assistant"), "")
    said = next((each["text"] for each in reversed(context) if each["role"] == "user"), "")
    stemmed = stem_text(fold(said))
    changes: Sequence[ReadChange] = ()
    if list_changes is not None:
        changes = list_changes(case["text"], asked=before, facts=facts, concepts=concepts)
    corrections = detect_corrections(
        case["text"],
        previous_assistant_text=before,
        facts=facts,
        just_said=[fact for fact in facts if find_mentions(stemmed, fact, concepts)],
        extracted=extract_facts(case["text"], compiled=compiled, concepts=concepts, now=SAID_AT),
        compiled=compiled,
        concepts=concepts,
        changes=changes,
    )
    return sum_up(corrections)


def sum_up(corrections: Sequence[Correction]) -> Survival:
    """What corrections do to the facts that they are about."""
    return Survival(
        ended=frozenset(fact.key for each in corrections if _ends(each) for fact in each.facts),
        disputed=frozenset(fact.key for each in corrections if each.effect == "disputed" for fact in each.facts),
        corrections=tuple(corrections),
    )


def _ends(correction: Correction) -> bool:
    """Whether its facts are known no longer; another value under the same key is still known."""
    if correction.effect == "replaced" and correction.replacement is not None:
        return any(fact.key != correction.replacement.key for fact in correction.facts)
    return correction.effect in ("ended", "forgotten")
