"""Posting messages: kept word for word, and what they say about their author understood, in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from episodes.conversations.actions.messages import (
    PreparedMessages,
    StoredMessage,
    give_vectors,
    place_messages,
    prepare_messages,
)
from episodes.conversations.core.drafts import MessageDraft
from episodes.conversations.selectors.neighbours import find_claim, find_open_claim, find_replied_claim
from episodes.facts.actions import extend_span
from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.models import Message, MessageRole
from factcheck.core.message_extraction import EMPTY_EXTRACTION, AdjacentMessages, MessageExtraction, Reading
from factcheck.corrections.actions.unmatched import reapply_unmatched_corrections
from factcheck.instant.actions.adjacent_messages import load_adjacent_messages
from factcheck.instant.actions.extraction import MAX_MESSAGES_BY_MEANING, may_answer_claim, read_kept, read_message
from factcheck.instant.actions.extraction_writes import extract_message
from factcheck.instant.change_reader import list_changes
from factcheck.instant.core.change_cases import MAX_MESSAGE_LENGTH
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.registry import get_compiled
from factcheck.instant.scorer import get_scorer
from factcheck.posting.actions.previous_extraction import load_previous_extraction
from factcheck.posting.metrics import count_extractions
from knowledge.facts.actions import add_neighbour
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.selectors import list_facts_said_by
from memoryproject.database import after_commit


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A message in its place, and what was understood of it: of a repeat, what was understood the first time."""

    message: Message
    created: bool
    understood: MessageExtraction


def post_messages(*, tenant_id: int, conversation_id: int, drafts: Sequence[MessageDraft]) -> list[PostedMessage]:
    """The messages in their places, all or none, with what they changed in what is known of the player.

    Patterns are matched before any lock; meaning is heard there, too, as far as it is not left to the worker
    (`read_late`). Locks the player, where a message says something, then the conversation.
    Raises UnknownConversation, InvalidMessage, ClientMessageIdReused, and FactKeysMissing: then nothing is kept, and
    the message is to be sent again.
    """
    prepared = prepare_messages(tenant_id=tenant_id, conversation_id=conversation_id, drafts=drafts)
    readings = _read(prepared)
    prepared = _hand_over_vectors(prepared)
    says_something = any(reading.says_something for reading in readings)
    with transaction.atomic():
        if says_something:
            lock_end_user(tenant_id=tenant_id, end_user_id=prepared.end_user_id)
        stored = place_messages(prepared)
        understood = _extract(prepared, stored, readings)
        for each in stored:
            if each.follows_fact and each.previous_id is not None:
                _complete(prepared, each.previous_id, each.message.pk, is_locked=says_something)
        if understood:
            after_commit(count_extractions, tuple(understood.values()))
    repeated = [each.message for each in stored if not each.created]
    recalled = load_previous_extraction(messages=repeated, end_user_id=prepared.end_user_id) if repeated else {}
    return [
        PostedMessage(
            each.message,
            each.created,
            (understood if each.created else recalled).get(each.message.pk, EMPTY_EXTRACTION),
        )
        for each in stored
    ]


def extract_at_place(*, end_user_id: int, message: Message, reading: Reading) -> MessageExtraction:
    """What came of a message that took a place in mid-talk, as of one that was said then and is told now.

    What was said later and may be about it is for the caller to read again. Within the caller's transaction, under the
    user's lock. Raises FactKeysMissing.
    """
    if not reading.says_something:
        return EMPTY_EXTRACTION
    prepared = PreparedMessages(message.tenant_id, message.conversation_id, end_user_id, ())
    understood = extract_message(
        end_user_id=end_user_id,
        message=message,
        reading=_date(message, reading, end_user_id),
        around=load_adjacent_messages(message, with_claim=reading.needs_claim),
    )
    return _forget_taken_back(prepared, message.pk, understood)


def _complete(prepared: PreparedMessages, said_in: int, message_id: int, *, is_locked: bool) -> None:
    """The facts of the message before hold this one in their span.

    At once under the player's lock, else afterwards: the player is never locked behind a conversation.
    """
    owner_filter = {"tenant_id": prepared.tenant_id, "end_user_id": prepared.end_user_id}
    if is_locked:
        add_neighbour(**owner_filter, said_in=said_in, message_id=message_id)
    else:
        after_commit(extend_span, **owner_filter, said_in=said_in, message_id=message_id)


def _read(prepared: PreparedMessages) -> list[Reading]:
    now = timezone.now()
    said = [each for each in prepared.messages if each.draft.role == MessageRole.USER]
    by_meaning = settings.INSTANT_SEMANTIC == "inline" and len(said) <= MAX_MESSAGES_BY_MEANING
    readings = [
        read_message(
            tenant_id=prepared.tenant_id,
            role=each.draft.role,
            content=each.draft.content,
            mode=each.frame,
            said_at=each.draft.sent_at or now,
            end_user_id=prepared.end_user_id,
            previous=_find_answered(prepared, index),
            by_meaning=by_meaning,
        )
        for index, each in enumerate(prepared.messages)
    ]
    for index, (each, reading) in enumerate(zip(prepared.messages, readings, strict=True)):
        if reading.may_correct and reading.reads_changes and len(each.draft.content) <= MAX_MESSAGE_LENGTH:
            _read_ahead(prepared, each.draft.content, _find_said_before(prepared, index), each.draft.sent_at or now)
    return readings


def _read_ahead(prepared: PreparedMessages, content: str, asked: str, time: dt.datetime) -> None:
    """Lets fitted layers read a message before its author is locked: under the lock the reading is at hand, where the
    same is known still. One query.
    """
    views = list_facts_said_by(tenant_id=prepared.tenant_id, end_user_id=prepared.end_user_id, time=time)
    facts = [KnownFact(each.id, each.type, each.key or "", each.value or "", source=each.source) for each in views]
    list_changes(content, asked=asked, facts=facts, concepts=get_compiled().concepts)


def _find_answered(prepared: PreparedMessages, index: int) -> str:
    """The assistant's message that one is going to answer, looked up only for what may answer; two queries at most.

    The transaction sees whether it still does.
    """
    own = prepared.messages[index].draft
    if not may_answer_claim(own.role, own.content, prepared.messages[index].frame):
        return ""
    return _find_said_before(prepared, index)


def _find_said_before(prepared: PreparedMessages, index: int) -> str:
    """What the assistant said right before a message, or in the one that it names; empty where the player speaks on."""
    own = prepared.messages[index].draft
    if (
        own.reply_to_id is not None
        and Message.objects.filter(tenant_id=prepared.tenant_id, pk=own.reply_to_id).exists()
    ):
        claim = find_replied_claim(own.reply_to_id)
        if claim is not None:
            return claim.content
    if index:
        before = prepared.messages[index - 1].draft
        return before.content if before.role == MessageRole.ASSISTANT else ""
    return find_open_claim(conversation_id=prepared.conversation_id)


def _hand_over_vectors(prepared: PreparedMessages) -> PreparedMessages:
    """The same, with the vectors that reading their meaning made of whole messages: search need not make them again."""
    scorer = get_scorer()
    if scorer is None:
        return prepared
    vectors = scorer.list_kept([each.draft.content for each in prepared.messages])
    return give_vectors(prepared, vectors, embedder=scorer.embedder_name) if vectors else prepared


def _extract(
    prepared: PreparedMessages, stored: Sequence[StoredMessage], readings: Sequence[Reading]
) -> dict[int, MessageExtraction]:
    """What came of each new message that says something, in order."""
    fresh = [(each, reading) for each, reading in zip(stored, readings, strict=True) if each.created]
    telling = [(each.message, reading) for each, reading in fresh if reading.says_something]
    if not telling:
        return {}
    batch = {each.message.seq: each.message for each, _ in fresh}
    before = fresh[0][0].previous_id
    understood = {
        message.pk: extract_message(
            end_user_id=prepared.end_user_id,
            message=message,
            reading=_date(message, reading, prepared.end_user_id),
            around=_build_adjacent(message, batch, before, with_claim=reading.needs_claim),
        )
        for message, reading in telling
    }
    understood = {pk: _forget_taken_back(prepared, pk, each) for pk, each in understood.items()}
    return _reapply_corrections(prepared, understood, [message for message, _ in telling])


def _forget_taken_back(prepared: PreparedMessages, message_id: int, understood: MessageExtraction) -> MessageExtraction:
    """The same, with what the player asked to forget forgotten, all in one transaction: words, facts, echoes."""
    said_in = {each.corrected_message_id for each in understood.corrections if each.is_forgetting} - {None}
    if not said_in:
        return understood
    receipt = forget_messages(
        tenant_id=prepared.tenant_id,
        end_user_id=prepared.end_user_id,
        selection=Selection("messages", message_ids=tuple(sorted(pk for pk in said_in if pk is not None))),
        requested_by=f"message {message_id}",
    )
    corrections = tuple(
        replace(each, receipt_id=str(receipt.pk)) if each.is_forgetting else each for each in understood.corrections
    )
    return replace(understood, corrections=corrections)


def _reapply_corrections(
    prepared: PreparedMessages, understood: dict[int, MessageExtraction], messages: Sequence[Message]
) -> dict[int, MessageExtraction]:
    """The same, with what the player had denied, said later but sent before these messages of the past."""
    past = {
        message.pk: message.said_at
        for message in messages
        if message.said_at < message.created_at
        and any(fact.outcome in ("written", "superseded") for fact in understood[message.pk].facts)
    }
    if not past:
        return understood
    heard = reapply_unmatched_corrections(
        tenant_id=prepared.tenant_id, end_user_id=prepared.end_user_id, since=min(past.values())
    )
    if not heard:
        return understood
    last = max(past)
    told = replace(understood[last], corrections=(*understood[last].corrections, *heard))
    return {**understood, last: told}


def _date(message: Message, reading: Reading, end_user_id: int) -> Reading:
    """The reading with its events counted from the message's own time, which it got with its place."""
    if not any(fact.expires_at for fact in reading.facts):
        return reading
    return read_kept(message, end_user_id=end_user_id, previous=reading.answered, by_meaning=reading.reads_changes)


def _build_adjacent(
    message: Message, batch: dict[int, Message], before_all: int | None, *, with_claim: bool
) -> AdjacentMessages:
    before, after = batch.get(message.seq - 1), batch.get(message.seq + 1)
    claim = find_claim(message) if with_claim else None
    return AdjacentMessages(
        previous_id=before.pk if before else before_all,
        next_id=after.pk if after else None,
        claim_id=claim.message_id if claim else None,
        claim=claim.content if claim else "",
        is_reply=claim is not None and claim.message_id == message.reply_to_id,
    )
