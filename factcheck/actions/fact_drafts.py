"""From a fact that was read to the fact that is kept, and from that to what is told of it."""

from __future__ import annotations

import datetime as dt

from episodes.models import Message
from factcheck.core.instant.extraction import ExtractedFact
from factcheck.core.message_extraction import Neighbours, UnderstoodFact
from knowledge.facts.actions import AppliedFact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.selectors import FactView


def get_said_at(message: Message) -> dt.datetime:
    """When a message was said, as far as facts go: a clock that runs ahead does not outlive what is said later."""
    return min(message.sent_at, message.created_at)


def draft_fact(fact: ExtractedFact, message: Message, *, around: Neighbours, source: str) -> FactDraft:
    """The fact as it is to be kept: proved by its message, and by the question where it is a bare answer to one."""
    asked = (around.claim_id,) if fact.answers_previous and around.claim_id is not None else ()
    return FactDraft(
        type=fact.type,
        key=fact.key,
        value=fact.value,
        source=source,
        evidence=(*asked, message.pk),
        evidence_span=around.span,
        confidence=fact.confidence,
        language=fact.language,
        valid_from=get_said_at(message),
        expires_at=fact.expires_at,
        said_in=message.pk,
    )


def draft_again(fact: FactView, *, valid_from: dt.datetime, said_in: int | None = None) -> FactDraft:
    """A version of a fact as it would be stated once more, as of a time."""
    return FactDraft(
        type=fact.type,
        key=fact.key,
        value=fact.value or "",
        source=fact.source,
        evidence=fact.evidence,
        evidence_span=fact.evidence_span,
        confidence=fact.confidence,
        language=fact.language,
        valid_from=valid_from,
        expires_at=fact.expires_at,
        said_in=said_in,
    )


def build_extracted_fact(applied: AppliedFact, quote: str) -> UnderstoodFact:
    """What came of a fact that was handed to the store of facts."""
    row = applied.fact
    is_known = applied.outcome != "outdated"
    return UnderstoodFact(
        fact_id=row.pk if is_known else None,
        type=row.type,
        key=applied.key,
        value=applied.value,
        outcome=applied.outcome,
        superseded_id=applied.superseded_id,
        confidence=row.confidence,
        language=row.language,
        expires_at=row.expires_at if is_known else None,
        evidence=tuple(row.evidence) if is_known else (),
        evidence_span=tuple(row.evidence_span) if is_known else (),
        quote=quote,
    )
