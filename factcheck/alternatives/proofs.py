"""What facts still rest on when some of their messages are read no more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from episodes.models import Message, MessageRole
from factcheck.extraction.models import CandidateState, CandidateTransition
from knowledge.facts.models import (
    PROTECTED_TYPES,
    CorrectionOutcome,
    CorrectionType,
    FactSource,
    MemoryCorrection,
    UserFact,
)
from knowledge.facts.selectors import FactView

BY_SERVICE = "service"
STATED = (FactSource.EXPLICIT, FactSource.ONBOARDING, FactSource.BATCH)
"""No message alone gives these by patterns: the rows are what was said."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """Messages that facts name as evidence, sorted by what may still be said of them."""

    withdrawn_ids: frozenset[int]
    """Not current at their place."""
    own_ids: frozenset[int]
    """The player's own words, withdrawn or not."""
    answers: Mapping[int, int]
    """Withdrawn question to the player's first message after it: a bare answer to it says nothing alone."""
    confirmed_ids: frozenset[int]
    """Facts that a person confirmed: they stand by that."""

    def is_withdrawn(self, message_id: int | None) -> bool:
        """Whether the message is read no more."""
        return message_id in self.withdrawn_ids

    def is_touched(self, fact: UserFact) -> bool:
        """Whether the fact rests on, or is explained by, something that is read no more."""
        rested = {*fact.evidence, *fact.evidence_span, fact.said_in}
        return not self.withdrawn_ids.isdisjoint(rested)

    def may_stand(self, fact: UserFact) -> bool:
        """Whether something proves the fact still: living words, the player's where it rested on any; a statement
        without a message; a person. What was not touched stands."""
        if self.withdrawn_ids.isdisjoint(fact.evidence):
            return True
        if fact.stated_in or fact.source == FactSource.ONBOARDING or fact.pk in self.confirmed_ids:
            return True
        left = set(fact.evidence) - self.withdrawn_ids - self.get_bare_answers(fact)
        own = self.own_ids.intersection(fact.evidence)
        return bool(left & own) if own else bool(left)

    def get_bare_answers(self, fact: UserFact) -> set[int]:
        """Of its evidence, the answers to questions that are withdrawn."""
        return {self.answers[pk] for pk in fact.evidence if pk in self.answers}

    def is_doubtful(self, fact: UserFact) -> bool:
        """Whether only the question is gone to which the player gave a bare answer, and no patterns read both together:
        what protects the player does not end by that."""
        return (
            fact.type in PROTECTED_TYPES
            and fact.source in STATED
            and not self.may_stand(fact)
            and not self.own_ids.isdisjoint(set(fact.evidence) - self.withdrawn_ids)
        )

    def trim(self, fact: FactView) -> FactView:
        """The fact without what is read no more; what stands without a message keeps it as its only ground."""
        left = tuple(each for each in fact.evidence if each not in self.withdrawn_ids)
        if not left:
            return fact
        span = tuple(each for each in fact.evidence_span if each not in self.withdrawn_ids)
        return replace(fact, evidence=left, evidence_span=span)


NO_PROOFS = Proofs(frozenset(), frozenset(), MappingProxyType({}), frozenset())
"""Where nothing is withdrawn."""


def find_proofs(facts: Sequence[UserFact]) -> Proofs:
    """What is known of the messages that the facts name. One query; four more where one of them is withdrawn."""
    ids = {pk for fact in facts for pk in (*fact.evidence, *fact.evidence_span)}
    ids |= {fact.said_in for fact in facts if fact.said_in is not None}
    if not ids:
        return NO_PROOFS
    rows = Message.objects.filter(pk__in=ids)
    withdrawn = frozenset(rows.filter(is_current=False).values_list("pk", flat=True))
    if not withdrawn:
        return NO_PROOFS
    own = list(rows.filter(role=MessageRole.USER).order_by("seq").values_list("pk", "conversation_id", "seq"))
    asked = rows.filter(role=MessageRole.ASSISTANT, is_current=False).values_list("pk", "conversation_id", "seq")
    answers = {
        pk: next((each[0] for each in own if each[1] == conversation_id and each[2] > seq), 0)
        for pk, conversation_id, seq in asked
    }
    touched = [fact.pk for fact in facts if not withdrawn.isdisjoint(fact.evidence)]
    return Proofs(withdrawn, frozenset(each[0] for each in own), answers, _find_confirmed(touched))


def _find_confirmed(fact_ids: Iterable[int]) -> frozenset[int]:
    """Those of the facts that a person stood up for: support who restored them, or whoever took up their candidate."""
    ids = list(fact_ids)
    by_support = MemoryCorrection.objects.filter(
        fact__in=ids,
        correction_type=CorrectionType.SUPPORT,
        outcome__in=[CorrectionOutcome.RESTORED, CorrectionOutcome.SUPERSEDED],
    )
    taken_up = CandidateTransition.objects.filter(candidate__fact__in=ids, new_state=CandidateState.PROMOTED).exclude(
        made_by=BY_SERVICE
    )
    return frozenset(
        {*by_support.values_list("fact_id", flat=True), *taken_up.values_list("candidate__fact_id", flat=True)}
    )
