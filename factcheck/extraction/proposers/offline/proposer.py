"""The proposer that needs no chat model: hearing at a lower threshold, over several messages at once.

Sure of little: what it says with a confidence of .8 and more was right that often on lines that it had not seen. The
rest is proposed with its odds, for a gate that will refuse it and for people who label a sample.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from factcheck.extraction.core.deltas import (
    EXTRACTED_TYPES,
    MAX_DELTAS,
    MAX_QUOTES,
    Delta,
    Operation,
    Quote,
    Stance,
    Subject,
)
from factcheck.extraction.core.given import Given, GivenFact
from factcheck.extraction.proposers.base import Proposal
from factcheck.extraction.proposers.offline.odds import ODDS_VERSION, combine, estimate
from factcheck.extraction.proposers.offline.range_reader import RangeReader, Statement
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.judges import Scorer
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.scorer import reuse_vectors
from knowledge.facts.core.types import NUMBER_TYPES

MIN_PROPOSED = 0.5
"""Less likely values are not proposed: they would only crowd out others among the twenty of an answer."""


@dataclass(frozen=True)
class OfflineProposer:
    """Reads with the patterns and concepts of an installation and, where the wheel runs, the model of hearing."""

    compiled: CompiledPatterns
    concepts: ConceptTable
    scorer: Scorer | None
    patterns_version: int = 0
    name: str = "offline"

    @property
    def model(self) -> str:
        """The weights that judge sentences."""
        return f"hearing {self.scorer.version}" if self.scorer else "patterns"

    @property
    def prompt_version(self) -> str:
        """Of the odds, the weights and the patterns."""
        weights = self.scorer.version if self.scorer else "none"
        return f"{ODDS_VERSION}.{weights}.{self.patterns_version}"

    def describe(self) -> str:
        """For `/status`."""
        read_by = "patterns and the embedded model of hearing" if self.scorer else "patterns alone"
        return (
            f"No chat model: {read_by} read several messages at once. They find late answers, statements in two "
            "messages and what was imported in bulk, and understand no free talk."
        )

    def propose(self, given: Given, *, language: str, timeout_seconds: float) -> Proposal:
        """What new messages state that is not known yet. It takes milliseconds a message and fails never."""
        with reuse_vectors():
            reader = RangeReader(given, self.compiled, self.concepts, self.scorer)
            statements = [each for each in reader.read() if each.fact.type in EXTRACTED_TYPES]
            deltas = [
                delta
                for group in _group(statements)
                if not reader.is_doubted(group[-1]) and (delta := _propose(group, given)) is not None
            ]
        likeliest = sorted(deltas, key=lambda delta: -delta.confidence)[:MAX_DELTAS]
        kept = [delta for delta in deltas if delta in likeliest]
        return Proposal(tuple(kept), render_deltas(kept))


def render_deltas(deltas: Sequence[Delta]) -> str:
    """The same as JSON text in the form of `DELTA_SCHEMA`."""
    rows = [
        {
            "operation": str(delta.operation), "fact": delta.fact, "type": delta.type, "key": delta.key,
            "value": delta.value, "quotes": [{"message": each.message, "text": each.text} for each in delta.quotes],
            "subject": str(delta.subject), "stance": str(delta.stance), "confidence": delta.confidence,
        }
        for delta in deltas
    ]  # fmt: skip
    return json.dumps({"deltas": rows}, ensure_ascii=False)


def _group(statements: Sequence[Statement]) -> list[list[Statement]]:
    """Statements of one fact together, in the order in which they were first made; another value is another group."""
    groups: dict[tuple[str, str, str], list[Statement]] = {}
    for each in statements:
        value = each.fact.value.casefold() if each.fact.type in NUMBER_TYPES else ""
        groups.setdefault((each.fact.type, each.fact.key, value), []).append(each)
    return list(groups.values())


def _propose(group: Sequence[Statement], given: Given) -> Delta | None:
    """One delta for all statements of a fact; None where it is known, or hardly likely."""
    confidence = combine([(estimate(each), given.messages[each.place - 1].session) for each in group])
    if confidence < MIN_PROPOSED:
        return None
    last = max(group, key=estimate)
    said_at = max(given.messages[each.place - 1].said_at for each in group)
    operation, place = Operation.ADD, None
    known = _find_known(given.facts, last)
    if known is not None:
        place, fact = known
        if said_at <= fact.said_at:
            return None
        operation = Operation.CONFIRM if _is_same(fact, last) else Operation.UPDATE
    return Delta(
        operation=operation, type=last.fact.type, key=last.fact.key, value=last.fact.value,
        quotes=_list_quotes(last, group), subject=Subject.USER, stance=Stance.ASSERTS,
        confidence=round(confidence, 3), fact=place,
    )  # fmt: skip


def _find_known(facts: Sequence[GivenFact], statement: Statement) -> tuple[int, GivenFact] | None:
    wanted = (statement.fact.type, statement.fact.key)
    return next(((place, fact) for place, fact in enumerate(facts, 1) if (fact.type, fact.key) == wanted), None)


def _is_same(fact: GivenFact, statement: Statement) -> bool:
    return fact.type not in NUMBER_TYPES or fact.value.casefold() == statement.fact.value.casefold()


def _list_quotes(best: Statement, group: Sequence[Statement]) -> tuple[Quote, ...]:
    """Those of the likeliest statement first, then of the others, of different messages."""
    quotes = {quote.message: quote for quote in best.quotes}
    for each in group:
        for quote in each.quotes:
            quotes.setdefault(quote.message, quote)
    return tuple(quotes.values())[:MAX_QUOTES]
