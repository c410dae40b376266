"""Storing messages: RAW and its search index row, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from pgvector import HalfVector

from episodes.conversations.actions.listeners import notify_message_listeners
from episodes.conversations.core.drafts import MessageDraft, validate_message
from episodes.conversations.core.narrative_modes import detect_narrative_mode
from episodes.conversations.models import CLOCK_SKEW, EARLIEST_SENT_AT
from episodes.embedding.actions.queue import queue_embedding
from episodes.embedding.models.passages import PARTITION_KIND
from episodes.errors import ClientMessageIdReused, InvalidBatchSize, UnknownConversation, UnknownReplyTo
from episodes.forgetting.actions.erased_messages import erase_under_order
from episodes.models import Conversation, Message
from knowledge.config import get_message_settings
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import get_message_embedder, name_vector_space
from knowledge.search.index_rows import IndexedText, hash_embedded_text, index_text
from knowledge.search.sql import read_query
from knowledge.text.language import detect_language
from memoryproject.prepared import fetch_prepared, prepared_cursor
from memoryproject.rows import fetch_rows

MAX_BATCH_SIZE = 500
_PLACE_MESSAGES = Path(__file__).resolve().parents[1] / "sql" / "place_messages.sql"
_LOCK_CONVERSATION = "SELECT {columns} FROM episodes_conversation WHERE tenant_id = %s AND id = %s FOR NO KEY UPDATE"
_FIND_KNOWN = (
    "SELECT {columns} FROM episodes_message WHERE conversation_id = %s AND client_message_id = ANY(%s::text[])"
)
_TALK_FOR_LANGUAGE = 3
"""Messages of the same batch that tell the language of one such as `ok`."""
_PLACED_COLUMNS = ("id", "seq", "npc_id", "session_id", "sent_at", "created_at")
"""What a message gets with its place."""
_ROW = (
    "(%s::integer, %s::text, %s::text, %s::bigint, %s::text, %s::text, %s::text, %s::text, %s::text, %s::text, "
    "%s::text, %s::text, %s::bytea, %s::timestamptz, %s::integer, %s::bigint[], %s::sparsevec, %s::bytea, "
    "%s::halfvec, %s::text)"
)


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message in its place, and whether this call stored it: a repeat under its client id did not.

    Of the first that was stored, `previous_id` is the message before it, unless that is forgotten, and `follows_fact`
    whether that one last said an active fact.
    """

    message: Message
    created: bool
    previous_id: int | None = None
    follows_fact: bool = False


@dataclass(frozen=True, slots=True)
class PreparedMessage:
    """A checked draft with all that is computed from its text before the conversation is locked."""

    draft: MessageDraft
    body_hash: bytes | None
    language: str
    frame: str
    indexed: IndexedText
    embedding: HalfVector | None = None
    """Its vector, where it was made already; else it waits for one."""
    embedder: str = ""


@dataclass(frozen=True, slots=True)
class PreparedMessages:
    """Checked drafts for one conversation, ready to be stored."""

    tenant_id: int
    conversation_id: int
    end_user_id: int
    messages: tuple[PreparedMessage, ...]


def store_message(*, tenant_id: int, conversation_id: int, draft: MessageDraft) -> StoredMessage:
    """The message in its place in the conversation; see `store_messages`."""
    return store_messages(tenant_id=tenant_id, conversation_id=conversation_id, drafts=[draft])[0]


def store_messages(*, tenant_id: int, conversation_id: int, drafts: Sequence[MessageDraft]) -> list[StoredMessage]:
    """The messages in their places, all or none, in the given order. A client id that came before gives its message.

    Locks the conversation: places (`seq`) follow each other without gaps, whoever else writes. Joins the caller's
    transaction, where there is one. Raises UnknownConversation, InvalidMessage, ClientMessageIdReused.
    """
    prepared = prepare_messages(tenant_id=tenant_id, conversation_id=conversation_id, drafts=drafts)
    with transaction.atomic():
        return place_messages(prepared)


def prepare_messages(*, tenant_id: int, conversation_id: int, drafts: Sequence[MessageDraft]) -> PreparedMessages:
    """What can be checked and computed without a lock. Raises UnknownConversation, InvalidMessage."""
    check_drafts(drafts)
    end_user_id = find_owner(tenant_id, conversation_id)
    return PreparedMessages(
        tenant_id,
        conversation_id,
        end_user_id,
        tuple(prepare_message(draft, end_user_id, drafts[:place]) for place, draft in enumerate(drafts)),
    )


def give_vectors(prepared: PreparedMessages, vectors: Mapping[str, Any], *, embedder: str) -> PreparedMessages:
    """The same messages, those with the vectors that an embedder of this name made of their texts for another reason.

    Those of another embedder than the messages' own, or of other dimensions, are left: nothing could be compared.
    """
    own = get_message_embedder()
    if own.name != embedder:
        return prepared
    space = name_vector_space(own)
    given = tuple(
        replace(each, embedding=HalfVector(vectors[each.draft.content]), embedder=space)
        if each.draft.content in vectors and len(vectors[each.draft.content]) == own.dims
        else each
        for each in prepared.messages
    )
    return replace(prepared, messages=given)


def place_messages(prepared: PreparedMessages) -> list[StoredMessage]:
    """The prepared messages in their places, within the caller's transaction; see `store_messages`."""
    drafts = [message.draft for message in prepared.messages]
    known: dict[str, Message] = {}
    if any(draft.client_message_id is not None or draft.reply_to_id is not None for draft in drafts):
        conversation = lock_conversation(tenant_id=prepared.tenant_id, conversation_id=prepared.conversation_id)
        known = _drop_erased(conversation, _find_known(conversation, drafts))
        _check_replies(conversation, drafts)
    stored, fresh = _sort_out(prepared, known)
    if not fresh:
        return stored
    previous_id, follows_fact = _write(prepared, fresh)
    first = fresh[0][1]
    return [
        replace(each, previous_id=previous_id, follows_fact=follows_fact) if each.message is first else each
        for each in stored
    ]


@lru_cache(maxsize=10_000)
def find_owner(tenant_id: int, conversation_id: int) -> int:
    """The end user of a tenant's conversation, remembered: owners are fixed. Raises UnknownConversation."""
    end_user_id = (
        Conversation.objects.filter(tenant_id=tenant_id, pk=conversation_id)
        .values_list("end_user_id", flat=True)
        .first()
    )
    if end_user_id is None:
        raise UnknownConversation(f"There is no conversation {conversation_id}.")
    return end_user_id


def lock_conversation(*, tenant_id: int, conversation_id: int) -> Conversation:
    """The tenant's conversation, locked until the transaction ends. Raises UnknownConversation."""
    found = fetch_prepared(Conversation, _LOCK_CONVERSATION, (tenant_id, conversation_id))
    if not found:
        raise UnknownConversation(f"There is no conversation {conversation_id}.")
    return found[0]


def check_drafts(drafts: Sequence[MessageDraft]) -> None:
    """Raises InvalidMessage with the position of the first draft that can't be kept."""
    if not 1 <= len(drafts) <= MAX_BATCH_SIZE:
        raise InvalidBatchSize(f"Send 1 to {MAX_BATCH_SIZE} messages at once.")
    now = timezone.now()
    for position, draft in enumerate(drafts):
        flaw = validate_message(draft, now=now, earliest=EARLIEST_SENT_AT, skew=CLOCK_SKEW)
        if flaw is not None:
            raise flaw.error(flaw.detail, position=position)


def prepare_message(draft: MessageDraft, end_user_id: int, before: Sequence[MessageDraft] = ()) -> PreparedMessage:
    """A checked draft, analysed. Its language may be told by those before it."""
    settings = get_message_settings()
    talk = [earlier.content for earlier in before[-_TALK_FOR_LANGUAGE:]]
    return PreparedMessage(
        draft=draft,
        body_hash=None if draft.client_message_id is None else draft.hash_body(),
        language=draft.language or detect_language(draft.content, context=talk),
        frame=draft.frame or detect_narrative_mode(draft.content),
        indexed=index_text(
            draft.content,
            partition_id=build_partition_id(PARTITION_KIND, end_user_id),
            pivot=settings.pivot,
            params=BM25Params(settings.bm25.k1, settings.bm25.b),
        ),
    )


def _find_known(conversation: Conversation, drafts: Sequence[MessageDraft]) -> dict[str, Message]:
    """Messages of the conversation by the client ids that come again."""
    client_ids = [draft.client_message_id for draft in drafts if draft.client_message_id is not None]
    if not client_ids or not conversation.last_seq:
        return {}
    rows = fetch_prepared(Message, _FIND_KNOWN, (conversation.pk, client_ids))
    return {row.client_message_id: row for row in rows if row.client_message_id is not None}


def _drop_erased(conversation: Conversation, known: dict[str, Message]) -> dict[str, Message]:
    """Those of the known messages that still are: one under an order is forgotten; to be erased, it is so at once."""
    gone = {client_id: message for client_id, message in known.items() if message.seq <= conversation.gone_to}
    if not gone:
        return known
    erased = erase_under_order(conversation, [message.pk for message in gone.values()])
    for message in gone.values():
        message.forgotten_at = message.forgotten_at or conversation.gone_at
    return {client_id: message for client_id, message in known.items() if message.pk not in erased}


def _check_replies(conversation: Conversation, drafts: Sequence[MessageDraft]) -> None:
    wanted = {draft.reply_to_id for draft in drafts if draft.reply_to_id is not None}
    if not wanted:
        return
    found = Message.objects.seen_in(conversation).filter(pk__in=wanted).values_list("pk", flat=True)
    missing = wanted - set(found)
    if missing:
        raise UnknownReplyTo(f"There is no message {min(missing)} in this conversation to reply to.")


_Fresh = list[tuple[PreparedMessage, Message]]


def _sort_out(prepared: PreparedMessages, known: dict[str, Message]) -> tuple[list[StoredMessage], _Fresh]:
    """What each draft becomes, and the new messages, not yet in their places. Raises ClientMessageIdReused."""
    stored: list[StoredMessage] = []
    fresh: _Fresh = []
    for position, each in enumerate(prepared.messages):
        client_id = each.draft.client_message_id
        message = None if client_id is None else known.get(client_id)
        if message is not None:
            if bytes(message.body_hash or b"") != each.body_hash:
                raise ClientMessageIdReused(
                    f"The client id {client_id!r} came before with another message.", position=position
                )
            stored.append(StoredMessage(message, created=False))
            continue
        message = _build(prepared, each)
        if client_id is not None:
            known[client_id] = message
        stored.append(StoredMessage(message, created=True))
        fresh.append((each, message))
    return stored, fresh


def _build(prepared: PreparedMessages, each: PreparedMessage) -> Message:
    draft = each.draft
    return Message(
        tenant_id=prepared.tenant_id,
        conversation_id=prepared.conversation_id,
        role=draft.role,
        content=draft.content,
        reply_to_id=draft.reply_to_id,
        language=each.language,
        frame=each.frame,
        memory_type=draft.memory_type,
        response_description=draft.response_description,
        mood=draft.mood,
        client_message_id=draft.client_message_id,
        body_hash=each.body_hash,
    )


def _write(prepared: PreparedMessages, fresh: _Fresh) -> tuple[int | None, bool]:
    """Stores the new messages and fills in ids, places, times and what the conversation says for all.

    The id of the message before them, and whether it last said an active fact.
    """
    query = read_query(_PLACE_MESSAGES).replace("{messages}", ", ".join([_ROW] * len(fresh)))
    rows = [value for place, (each, message) in enumerate(fresh, 1) for value in _row(place, each, message)]
    with prepared_cursor() if len(fresh) == 1 else connection.cursor() as cursor:
        cursor.execute(query, [*rows, prepared.conversation_id, prepared.tenant_id, prepared.end_user_id])
        placed = fetch_rows(cursor)
    if not placed:
        find_owner.cache_clear()
        raise UnknownConversation(f"There is no conversation {prepared.conversation_id}.")
    for (_, message), row in zip(fresh, placed, strict=True):
        for column in _PLACED_COLUMNS:
            setattr(message, column, row[column])
    if any(each.embedding is None for each, _ in fresh):
        queue_embedding(prepared.tenant_id, prepared.conversation_id, is_batch=len(fresh) > 1)
    notify_message_listeners([message for _, message in fresh])
    return placed[0]["previous_id"], placed[0]["follows_fact"]


def _row(place: int, each: PreparedMessage, message: Message) -> tuple[Any, ...]:
    draft, indexed = each.draft, each.indexed
    return (
        place,
        draft.role,
        draft.content,
        draft.reply_to_id,
        draft.npc_id,
        draft.session_id,
        each.language,
        each.frame,
        draft.memory_type,
        draft.response_description,
        draft.mood,
        draft.client_message_id,
        each.body_hash,
        draft.sent_at,
        indexed.length,
        indexed.lexemes,
        indexed.bm25.to_text(),
        hash_embedded_text(draft.content),
        None if each.embedding is None else each.embedding.to_text(),
        each.embedder,
    )
