"""The checks of a delta, in the order of `VerdictCode`: the first that fails gives the code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from factcheck.extraction.core.deltas import MAX_DELTAS, Delta, Operation, Stance, Subject
from factcheck.extraction.core.gate.forms import find_form_error, has_canary
from factcheck.extraction.core.gate.moods import find_mood_refusal, find_remark_doubt
from factcheck.extraction.core.gate.removals import find_removal
from factcheck.extraction.core.gate.rules import GateRules
from factcheck.extraction.core.gate.sources import Source, Sources
from factcheck.extraction.core.gate.statements import Refusal, Statement, find_statement
from factcheck.extraction.core.gate.values import propose_key
from factcheck.extraction.core.given import Given, GivenFact
from factcheck.extraction.core.statistics import find_bucket
from factcheck.extraction.core.verdicts import EvidenceSpan, Verdict, VerdictCode
from factcheck.instant.core.messages import fold
from factcheck.instant.core.money import choose_budget_key
from factcheck.instant.core.narrative_modes import Span
from knowledge.facts.core.types import SOFT_TYPES, THING_TYPES


def check_deltas(deltas: Sequence[Delta], given: Given, rules: GateRules) -> list[Verdict]:
    """A verdict for each delta, in order. Raises nothing, whatever a proposer answered.

    Of an accepted one the operation, key and value are canonical: what our readers make of the words that were said.
    """
    gate = _Gate(given, rules)
    return [gate.check(delta) if index < MAX_DELTAS else _TOO_MANY for index, delta in enumerate(deltas)]


_OF_HALVES = (VerdictCode.NO_ANCHOR, VerdictCode.VALUE_NOT_SAID)
"""What one half of a statement that was sent in two messages is refused with."""
_TOO_MANY = Verdict(VerdictCode.MALFORMED, f"more than {MAX_DELTAS} deltas")


@dataclass(frozen=True, slots=True)
class _Located:
    """A quote found in a message."""

    source: Source
    spans: tuple[Span, ...]
    """Every place where the words stand."""

    @property
    def is_user(self) -> bool:
        """Whether the player wrote the message."""
        return self.source.message.role == "user"

    @property
    def evidence(self) -> EvidenceSpan:
        """Its first place."""
        return EvidenceSpan(self.source.message.id, *self.spans[0])


@dataclass(slots=True)
class _Gate:
    """One answer under check: what was accepted of it so far counts against repetitions."""

    given: Given
    rules: GateRules
    _sources: Sources = field(init=False)
    _accepted: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._sources = Sources(self.given, self.rules)

    def check(self, delta: Delta) -> Verdict:
        """The verdict on one delta."""
        flaw = find_form_error(delta)
        if flaw:
            return Verdict(VerdictCode.MALFORMED, flaw)
        base = Verdict(
            VerdictCode.MALFORMED,
            operation=delta.operation,
            type=delta.type,
            key=propose_key(delta, self.rules.concepts),
            value=delta.value.strip(),
            confidence=float(delta.confidence),
        )
        if has_canary(delta):
            return replace(base, code=VerdictCode.CANARY)
        fact = self.given.find_fact(delta.fact)
        code = self._check_claims(delta, base, fact)
        if code is not None:
            return replace(base, code=code)
        located = self._locate(delta)
        if isinstance(located, VerdictCode):
            return replace(base, code=located)
        base = replace(
            base,
            evidence=tuple(each.evidence for each in located if each.is_user),
            language=next((each.source.message.language for each in located if each.is_user), ""),
        )
        verdict = self._judge(delta, base, fact, located)
        if verdict.is_accepted:
            if (verdict.type, verdict.key) in self._accepted:
                return replace(verdict, code=VerdictCode.DUPLICATE)
            self._accepted.add((verdict.type, verdict.key))
        return verdict

    def _judge(self, delta: Delta, base: Verdict, fact: GivenFact | None, located: list[_Located]) -> Verdict:
        """What the words that were found are worth."""
        if delta.type in SOFT_TYPES:
            return self._judge_mood(delta, base, [each for each in located if each.is_user])
        if _is_removal(delta, fact):
            return self._check_removal(base, fact, located)
        return self._check_statement(delta, base, fact, located)

    def _judge_mood(self, delta: Delta, base: Verdict, quoted: list[_Located]) -> Verdict:
        """A taste or a mood: of what is quoted now, and of what was proposed of the same before."""
        said = [(each.source, each.spans[0]) for each in quoted]
        earlier = self._list_earlier_remarks(delta, base.key, {each.source.message.id for each in quoted})
        refusal = find_mood_refusal([*said, *earlier], delta, self.rules)
        if refusal is not None:
            code, detail = refusal
            return replace(base, code=code, detail=detail, operation=Operation.ADD)
        added = (EvidenceSpan(source.message.id, *span) for source, span in earlier)
        return replace(
            base, code=VerdictCode.ACCEPTED, operation=Operation.ADD, evidence=(*base.evidence, *added)
        )  # fmt: skip

    def _list_earlier_remarks(self, delta: Delta, key: str, quoted: set[int]) -> list[tuple[Source, Span]]:
        """What the player said of the same type and key in messages that are not quoted, and may still be meant."""
        found: list[tuple[Source, Span]] = []
        for remark in self.given.remarks:
            if (remark.type, remark.key) != (delta.type, key) or remark.message_id in quoted:
                continue
            source = self._sources.find(remark.message_id)
            span = (remark.start, remark.end)
            if source is None or remark.end > len(source.message.content) or not source.is_own(span):
                continue
            if find_remark_doubt(source, span, delta, self.rules) is None:
                found.append((source, span))
        return found

    def _check_claims(self, delta: Delta, base: Verdict, fact: GivenFact | None) -> VerdictCode | None:
        """What a proposer says by itself: the fact that it names, whose it is, how it is meant, how sure it is."""
        if delta.operation != Operation.ADD and (fact is None or fact.type != delta.type):
            return VerdictCode.FACT_UNKNOWN
        if fact is not None and not _is_about(fact, base.key, delta):
            return VerdictCode.FACT_UNKNOWN
        if delta.subject != Subject.USER:
            return VerdictCode.SUBJECT
        if delta.stance != (Stance.DENIES if delta.operation == Operation.REMOVE else Stance.ASSERTS):
            return VerdictCode.STANCE
        if delta.confidence < self.rules.min_confidence or find_bucket(delta.confidence) in self.rules.muted_buckets:
            return VerdictCode.LOW_CONFIDENCE
        return None

    # -- Evidence --------------------------------------------------------------------------------------------------

    def _locate(self, delta: Delta) -> list[_Located] | VerdictCode:
        """The quotes in their messages, or why they prove nothing."""
        found: list[_Located] = []
        for quote in delta.quotes:
            source = self._sources.get(quote.message)
            if source is None or not (delta.type in SOFT_TYPES or self._may_prove(source)):
                return VerdictCode.EVIDENCE_UNKNOWN
            spans = source.quoted.find(quote.text)
            if not spans:
                return VerdictCode.QUOTE_NOT_FOUND
            found.append(_Located(source, tuple(spans)))
        said = [each for each in found if each.is_user]
        if not said:
            return VerdictCode.NOT_SAID_BY_USER
        if not any(each.source.message.is_new for each in said):
            return VerdictCode.EVIDENCE_UNKNOWN
        return self._keep_own(found)

    def _may_prove(self, source: Source) -> bool:
        """Whether a message may be quoted: the player's of this range or of a candidate, the assistant's as context."""
        message = source.message
        return message.is_new or message.is_supporting or message.role != "user"

    def _keep_own(self, found: list[_Located]) -> list[_Located] | VerdictCode:
        """The quotes that the player says for themselves, each at the places where they do; else why none is left."""
        kept: list[_Located] = []
        codes: list[VerdictCode] = []
        for each in found:
            if not each.is_user:
                kept.append(each)
                continue
            own = tuple(span for span in each.spans if each.source.is_own(span))
            if each.source.message.frame == "in_character" or not own:
                codes.append(VerdictCode.FICTION if each.source.is_played else VerdictCode.NOT_SAID_BY_USER)
                continue
            fresh = tuple(span for span in own if not each.source.is_echo(span))
            if not fresh:
                codes.append(VerdictCode.ECHO)
                continue
            kept.append(replace(each, spans=fresh))
        if codes:
            return codes[0]  # what is quoted from elsewhere spoils the rest: the value may come from there
        return kept

    # -- What is said ----------------------------------------------------------------------------------------------

    def _check_statement(self, delta: Delta, base: Verdict, fact: GivenFact | None, located: list[_Located]) -> Verdict:
        refusal = Refusal(VerdictCode.NO_ANCHOR)
        for each in (each for each in located if each.is_user):
            for span in each.spans:
                found = find_statement(each.source, delta, span, self.rules)
                if isinstance(found, Statement):
                    return self._accept(base, fact, each, found, located)
                refusal = found if refusal.code == VerdictCode.NO_ANCHOR else refusal
        if refusal.code in _OF_HALVES:
            joined = self._sources.get_joined([each.source for each in located if each.is_user])
            found = find_statement(joined, delta, (0, len(joined.message.content)), self.rules) if joined else refusal
            if isinstance(found, Statement):
                return self._accept(base, fact, located[0], found, located)
            refusal = found
        return replace(base, code=refusal.code, detail=refusal.detail)

    def _accept(
        self, base: Verdict, fact: GivenFact | None, proof: _Located, found: Statement, located: list[_Located]
    ) -> Verdict:
        key = found.key
        if base.type == "budget":
            known = {each.key: each.value for each in self.given.facts if each.type == "budget"}
            key = choose_budget_key(key, found.value, known)
        if fact is not None and fact.key != key:
            return replace(base, code=VerdictCode.FACT_UNKNOWN, detail="the words are about another fact")
        current = fact or next((each for each in self.given.facts if (each.type, each.key) == (base.type, key)), None)
        evidence = list(base.evidence)
        if found.answers_previous and proof.source.previous is not None:
            evidence.insert(0, _quote_question(proof.source, located))
        operation = Operation.ADD
        if current is not None:
            is_equal = base.type in THING_TYPES or fold(current.value) == fold(found.value)
            operation = Operation.CONFIRM if is_equal else Operation.UPDATE
        if base.operation == Operation.CONFIRM and operation != Operation.CONFIRM:
            return replace(base, code=VerdictCode.FACT_UNKNOWN, detail="the fact says something else")
        return replace(
            base,
            code=VerdictCode.ACCEPTED,
            operation=operation,
            key=key,
            value=found.value,
            evidence=tuple(evidence),
            fact_id=current.id if current else None,
            is_declared=found.is_declared,
            expires_at=found.expires_at,
        )

    def _check_removal(self, base: Verdict, fact: GivenFact | None, located: list[_Located]) -> Verdict:
        if fact is None:
            return replace(base, code=VerdictCode.FACT_UNKNOWN)
        code = VerdictCode.NO_ANCHOR
        for each in (each for each in located if each.is_user):
            for span in each.spans:
                found = find_removal(each.source, fact, span, self.rules)
                if isinstance(found, tuple):
                    is_denied, _ = found
                    return replace(
                        base, code=VerdictCode.ACCEPTED, key=fact.key, value=fact.value, fact_id=fact.id,
                        is_denied=is_denied, is_declared=True,
                    )  # fmt: skip
                code = found
        return replace(base, code=code, detail="no denial of the fact itself")


def _is_removal(delta: Delta, fact: GivenFact | None) -> bool:
    return delta.operation == Operation.REMOVE and fact is not None


def _is_about(fact: GivenFact, key: str, delta: Delta) -> bool:
    """Whether a delta speaks of the fact that it names: of the same key, as far as its words tell."""
    if fact.type in THING_TYPES:
        return fact.key == key
    if not delta.key:
        return True
    return fact.key == key or fact.key.startswith(f"{key}_") or key.startswith(f"{fact.key}_") or fact.type == "budget"


def _quote_question(source: Source, located: list[_Located]) -> EvidenceSpan:
    """The assistant's question: as it was quoted, or all of its message."""
    question = source.previous
    assert question is not None  # noqa: S101 - an answer has a question before it
    quoted = next((each for each in located if each.source.message.id == question.id), None)
    span = quoted.spans[0] if quoted else (0, len(question.content.rstrip()))
    return EvidenceSpan(question.id, *span, is_question=True)
