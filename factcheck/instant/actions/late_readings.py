"""Messages that patterns alone have read, heard by their meaning in the worker: no request waits for the model."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from django.db import transaction
from django.db.models import QuerySet

from episodes.models import Message, MessageRole
from factcheck.core.message_extraction import FactExtraction, MessageExtraction, Reading
from factcheck.corrections.actions.corrections import Applied, apply_layer_changes, read_changes_ahead
from factcheck.corrections.actions.logged import list_ended_keys, list_replacements
from factcheck.corrections.actions.unmatched import reapply_unmatched_corrections
from factcheck.instant.actions.adjacent_messages import load_adjacent_messages, read_at_place
from factcheck.instant.actions.extraction_writes import keep_facts
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.pattern_rows import SEMANTIC
from factcheck.instant.scorer import get_scorer
from factcheck.posting.metrics import count_extractions
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.core.types import canonical_key
from knowledge.facts.models import MemoryCorrection
from knowledge.facts.selectors import list_facts_from
from memoryproject.database import after_commit
from tenancy.models import EndUser

log = structlog.get_logger("memory37.hearing")
WRITTEN = ("written", "superseded")


def read_late(messages: Sequence[Message]) -> None:
    """What players said in these messages and no pattern heard becomes known, as of when it was said.

    Each message is embedded outside transactions and then applied in one of its own, under its player's lock. A second
    run changes nothing. What was said, denied, forgotten or replaced later has the last word, as with histories that
    are imported in any order. Raises FactKeysMissing: then the message still waits.
    """
    if get_scorer() is None:
        return
    spoken = [each for each in messages if each.role == MessageRole.USER]
    for message in sorted(spoken, key=lambda each: (each.said_at, each.pk)):
        reading = read_at_place(message, end_user_id=message.conversation.end_user_id)
        facts = [fact for fact in reading.facts if fact.pattern.startswith(f"{SEMANTIC}/")]
        if reading.may_correct:
            _read_changes_ahead(message)
        if facts or reading.may_correct:
            written = _apply(message, reading, facts)
            if facts or written:
                log.info("meaning_read_late", message_id=message.pk, facts=len(facts), written=written)


def _read_changes_ahead(message: Message) -> None:
    read_changes_ahead(
        tenant_id=message.tenant_id,
        end_user_id=message.conversation.end_user_id,
        content=message.content,
        asked=load_adjacent_messages(message, with_claim=True).answered,
        time=message.said_at,
    )


def _apply(known: Message, reading: Reading, facts: Sequence[ExtractedFact]) -> int:
    """How many facts are new or corrected. Locks the player; a message that was edited or forgotten meanwhile says
    nothing.

    What layers take it to change is changed now, unless it has corrected something already, and of what nobody has
    corrected since.
    """
    end_user_id = known.conversation.end_user_id
    with transaction.atomic():
        user = lock_end_user(tenant_id=known.tenant_id, end_user_id=end_user_id)
        message = Message.objects.living().select_related("conversation").filter(pk=known.pk).first()
        if message is None or message.content != known.content:
            return 0
        settled = _list_corrected(user, message) | _list_stated(user, message)
        is_answer = reading.may_correct or any(fact.answers_previous for fact in facts)
        around = load_adjacent_messages(message, with_claim=is_answer)
        applied = Applied()
        if reading.may_correct and not _list_matched(user).filter(trigger_message_id=message.pk).exists():
            later = _list_matched(user).filter(created_at__gt=message.created_at)
            applied = apply_layer_changes(
                end_user_id=user.pk, message=message, reading=reading, around=around,
                settled=set(later.values_list("fact_id", flat=True)),
            )  # fmt: skip
        settled |= applied.settled
        said, added = (
            [fact for fact in heard if (fact.type, canonical_key(fact.key)) not in settled]
            for heard in (facts, applied.added)
        )
        told = keep_facts(user.pk, message, said, around)
        told += keep_facts(user.pk, message, added, around, source="correction")
        fresh = [fact for fact in told if fact.outcome in WRITTEN]
        if fresh:
            _reapply_corrections(message, user, fresh)
        if applied.told:
            after_commit(count_extractions, (MessageExtraction((), applied.told),))
    return len(fresh) + len(applied.told)


def _list_matched(user: EndUser) -> QuerySet[MemoryCorrection]:
    return MemoryCorrection.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk, fact__isnull=False)


def _list_stated(user: EndUser, message: Message) -> set[tuple[str, str]]:
    """What is known of the message already, whatever became of it since."""
    versions = list_facts_from(tenant_id=user.tenant_id, end_user_id=user.pk, message_ids=[message.pk])
    return {(version.type, version.key or "") for version in versions}


def _list_corrected(user: EndUser, message: Message) -> set[tuple[str, str]]:
    """What the message's own corrections ended or put in the place of something: it does not state that as well."""
    rows = _list_matched(user).filter(trigger_message_id=message.pk)
    recorded = list(rows.exclude(fact__value_sealed=b"").select_related("fact"))
    if not recorded:
        return set()
    replacements = {(fact.type, fact.key or "") for fact in list_replacements(user, message)}
    return replacements | list_ended_keys(recorded)


def _reapply_corrections(message: Message, user: EndUser, fresh: Sequence[FactExtraction]) -> None:
    """What the player denied since then, when it was not known yet."""
    corrections = reapply_unmatched_corrections(tenant_id=user.tenant_id, end_user_id=user.pk, since=message.said_at)
    after_commit(count_extractions, (MessageExtraction(tuple(fresh), corrections),))
