"""Storing messages: RAW and its search index row, in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils import timezone

from episodes.actions.listeners import tell_listeners
from episodes.core.drafts import MessageDraft, find_flaw
from episodes.core.frames import tell_frame
from episodes.errors import ClientMessageIdReused, InvalidMessage, UnknownConversation
from episodes.models import Conversation, Message, MessagePassage, MessageRole
from episodes.models.conversations import CLOCK_SKEW, EARLIEST_SENT_AT
from episodes.models.passages import SCOPE_KIND
from knowledge.config import get_message_settings
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_scope_id
from knowledge.search.indexing import IndexedText, hash_embedded_text, index_text
from knowledge.text.language import detect_language

BATCH_MOST = 500


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message in its place, and whether this call stored it: a repeat under its client id did not."""

    message: Message
    created: bool


def store_message(*, tenant_id: int, conversation_id: int, draft: MessageDraft) -> StoredMessage:
    """The message in its place in the conversation; see `store_messages`."""
    return store_messages(tenant_id=tenant_id, conversation_id=conversation_id, drafts=[draft])[0]


def store_messages(*, tenant_id: int, conversation_id: int, drafts: Sequence[MessageDraft]) -> list[StoredMessage]:
    """The messages in their places, all or none, in the given order. A client id that came before gives its message.

    Locks the conversation: places (`seq`) follow each other without gaps, whoever else writes. Joins the caller's
    transaction, where there is one. Raises UnknownConversation, InvalidMessage, ClientMessageIdReused.
    """
    _check_drafts(drafts)
    end_user_id = (
        Conversation.objects.filter(tenant_id=tenant_id, pk=conversation_id)
        .values_list("end_user_id", flat=True)
        .first()
    )
    if end_user_id is None:
        raise UnknownConversation(f"There is no conversation {conversation_id}.")
    indexed = [_index(draft, end_user_id) for draft in drafts]
    with transaction.atomic():
        conversation = lock_conversation(tenant_id=tenant_id, conversation_id=conversation_id)
        known = _find_known(conversation, drafts)
        _check_replies(conversation, drafts)
        stored, fresh = _place(conversation, drafts, known)
        _write(conversation, fresh, [indexed[position] for position, _ in fresh])
    return stored


def lock_conversation(*, tenant_id: int, conversation_id: int) -> Conversation:
    """The tenant's conversation, locked until the transaction ends. Raises UnknownConversation."""
    try:
        return Conversation.objects.select_for_update(no_key=True).get(tenant_id=tenant_id, pk=conversation_id)
    except Conversation.DoesNotExist:
        raise UnknownConversation(f"There is no conversation {conversation_id}.") from None


def _check_drafts(drafts: Sequence[MessageDraft]) -> None:
    if not 1 <= len(drafts) <= BATCH_MOST:
        raise InvalidMessage(f"Send 1 to {BATCH_MOST} messages at once.", code="batch_size_invalid")
    now = timezone.now()
    for position, draft in enumerate(drafts):
        flaw = find_flaw(draft, now=now, earliest=EARLIEST_SENT_AT, skew=CLOCK_SKEW)
        if flaw is not None:
            raise InvalidMessage(flaw.detail, code=flaw.code, position=position)


def _index(draft: MessageDraft, end_user_id: int) -> IndexedText:
    settings = get_message_settings()
    return index_text(
        draft.content,
        scope_id=build_scope_id(SCOPE_KIND, end_user_id),
        pivot=settings.pivot,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )


def _find_known(conversation: Conversation, drafts: Sequence[MessageDraft]) -> dict[str, Message]:
    """Messages of the conversation by the client ids that come again."""
    client_ids = [draft.client_message_id for draft in drafts if draft.client_message_id is not None]
    if not client_ids or not conversation.last_seq:
        return {}
    rows = Message.objects.filter(conversation=conversation, client_message_id__in=client_ids)
    return {row.client_message_id: row for row in rows if row.client_message_id is not None}


def _check_replies(conversation: Conversation, drafts: Sequence[MessageDraft]) -> None:
    wanted = {draft.reply_to_id for draft in drafts if draft.reply_to_id is not None}
    if not wanted:
        return
    found = Message.objects.filter(conversation=conversation, pk__in=wanted).values_list("pk", flat=True)
    missing = wanted - set(found)
    if missing:
        raise InvalidMessage(
            f"There is no message {min(missing)} in this conversation to reply to.", code="reply_to_unknown"
        )


def _place(
    conversation: Conversation, drafts: Sequence[MessageDraft], known: dict[str, Message]
) -> tuple[list[StoredMessage], list[tuple[int, Message]]]:
    """What each draft became, and the new messages with the positions of their drafts. Raises ClientMessageIdReused."""
    stored: list[StoredMessage] = []
    fresh: list[tuple[int, Message]] = []
    now = timezone.now()
    for position, draft in enumerate(drafts):
        client_id = draft.client_message_id
        body_hash = None if client_id is None else draft.hash_body()
        if client_id is not None and client_id in known:
            message = known[client_id]
            if bytes(message.body_hash or b"") != body_hash:
                raise ClientMessageIdReused(
                    f"The client id {client_id!r} came before with another message.", position=position
                )
            stored.append(StoredMessage(message, created=False))
            continue
        conversation.last_seq += 1
        message = _build(conversation, draft, body_hash=body_hash, now=now)
        if client_id is not None:
            known[client_id] = message
        stored.append(StoredMessage(message, created=True))
        fresh.append((position, message))
    return stored, fresh


def _build(conversation: Conversation, draft: MessageDraft, *, body_hash: bytes | None, now: dt.datetime) -> Message:
    return Message(
        tenant_id=conversation.tenant_id,
        conversation=conversation,
        seq=conversation.last_seq,
        role=draft.role,
        content=draft.content,
        reply_to_id=draft.reply_to_id,
        npc_id=draft.npc_id or conversation.npc_id,
        session_id=draft.session_id or conversation.session_id,
        language=draft.language or detect_language(draft.content),
        frame=draft.frame or tell_frame(draft.content),
        memory_type=draft.memory_type,
        response_description=draft.response_description,
        client_message_id=draft.client_message_id,
        body_hash=body_hash,
        sent_at=draft.sent_at or now,
        created_at=now,
    )


def _write(conversation: Conversation, fresh: Sequence[tuple[int, Message]], indexed: Sequence[IndexedText]) -> None:
    if not fresh:
        return
    messages = [message for _, message in fresh]
    conversation.pending_extraction_count += sum(message.role == MessageRole.USER for message in messages)
    conversation.last_message_at = messages[-1].created_at
    conversation.save(update_fields=["last_seq", "pending_extraction_count", "last_message_at"])
    Message.objects.bulk_create(messages)
    MessagePassage.objects.bulk_create(
        [
            MessagePassage(
                tenant_id=message.tenant_id,
                message=message,
                conversation=conversation,
                end_user_id=conversation.end_user_id,
                seq=message.seq,
                language=message.language[:16],
                length=text.length,
                lexemes=text.lexemes,
                bm25=text.bm25,
                embedding_hash=hash_embedded_text(message.content),
            )
            for message, text in zip(messages, indexed, strict=True)
            if message.role != MessageRole.SYSTEM
        ]
    )
    _queue_embedding(conversation.pk, is_batch=len(messages) > 1)
    tell_listeners(messages)


def _queue_embedding(conversation_id: int, *, is_batch: bool) -> None:
    """Enqueue once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    from episodes import tasks

    priority = tasks.PRIORITY_NORMAL if is_batch else tasks.PRIORITY_HIGH
    transaction.on_commit(partial(tasks.embed_messages.apply_async, (conversation_id,), priority=priority), robust=True)
