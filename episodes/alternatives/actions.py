"""Another alternative of a place becomes current: an edit, a swipe, or one that was there before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Max
from django.utils import timezone

from episodes.alternatives.models import MessageChange
from episodes.condensing.actions.snippets import clear_snippets
from episodes.condensing.actions.talk_summaries import clear_summaries
from episodes.conversations.actions.messages import check_drafts, lock_conversation, prepare_message
from episodes.conversations.core.drafts import MessageDraft
from episodes.conversations.core.narrative_modes import detect_narrative_mode
from episodes.embedding.actions.queue import queue_embedding
from episodes.errors import MessageForgotten, MessageNotCurrent, TooManyAlternatives, UnknownMessage
from episodes.models import Conversation, Message, MessagePassage, MessageRole
from knowledge.search.index_rows import IndexedText, hash_embedded_text
from memoryproject.forgetting.registry import Withdrawal, withdraw_from_stores

MAX_ALTERNATIVES = 256
"""At one place: they are read, forgotten and erased together, in one batch."""


@dataclass(frozen=True, slots=True)
class AlternativeDraft:
    """What a message says instead. Empty texts mean that nobody said."""

    content: str
    language: str = ""
    frame: str = ""
    memory_type: str = ""
    response_description: str = ""
    mood: str = ""


@dataclass(frozen=True, slots=True)
class PreparedAlternative:
    """A checked draft for a place, with all that is computed before anything is locked."""

    draft: MessageDraft
    language: str
    frame: str
    indexed: IndexedText


@dataclass(frozen=True, slots=True)
class Switch:
    """What happened at a place; `counts` by store. Without a change `deselected` is None."""

    selected: Message
    deselected: Message | None = None
    counts: Mapping[str, int] | None = None


def prepare_alternative(first: Message, draft: AlternativeDraft, *, is_edit: bool = False) -> PreparedAlternative:
    """What a place is to say, checked and analysed; role, NPC, session and time are the place's own. No lock.

    An edit keeps the mood, the kind and a stated frame of what it edits where it does not say others.

    Raises InvalidMessage.
    """
    if is_edit:
        is_stated = first.frame != detect_narrative_mode(first.content)
        draft = replace(
            draft,
            frame=draft.frame or (first.frame if is_stated else ""),
            memory_type=draft.memory_type or first.memory_type,
            mood=draft.mood or first.mood,
        )
    whole = MessageDraft(
        role=first.role,
        content=draft.content,
        reply_to_id=first.reply_to_id,
        npc_id=first.npc_id,
        session_id=first.session_id,
        language=draft.language,
        frame=draft.frame,
        memory_type=draft.memory_type,
        response_description=draft.response_description,
        mood=draft.mood,
    )
    check_drafts([whole])
    prepared = prepare_message(whole, first.conversation.end_user_id)
    return PreparedAlternative(whole, prepared.language, prepared.frame, prepared.indexed)


def lock_place(*, tenant_id: int, conversation_id: int, seq: int) -> tuple[Conversation, Message]:
    """The conversation and the current message of a place, locked in this order; the caller holds the user's lock.

    Raises UnknownConversation, UnknownMessage, MessageForgotten.
    """
    conversation = lock_conversation(tenant_id=tenant_id, conversation_id=conversation_id)
    rows = Message.objects.select_for_update(no_key=True).filter(conversation=conversation, seq=seq, is_current=True)
    current = rows.first()
    if current is None:
        raise UnknownMessage(f"The conversation {conversation_id} has no place {seq} of its own.")
    current.conversation = conversation
    if current.is_gone:
        raise MessageForgotten(f"The message {current.pk} is forgotten.")
    return conversation, current


def check_current(current: Message, message_id: int) -> None:
    """Raises MessageNotCurrent unless the message is the current one of its place."""
    if current.pk != message_id:
        raise MessageNotCurrent(
            f"The message {message_id} is not current: {current.pk} stands at its place.", current_id=current.pk
        )


def place_alternative(current: Message, prepared: PreparedAlternative, *, is_edit: bool) -> Switch:
    """The new alternative, current at the place of the message that was. The same words as an edit change nothing.

    Call it under `lock_place`. Raises TooManyAlternatives.
    """
    if is_edit and _says_the_same(current, prepared):
        return Switch(current)
    draft, place = prepared.draft, Message.objects.filter(conversation_id=current.conversation_id, seq=current.seq)
    alternative = place.aggregate(last=Max("alternative"))["last"] + 1
    if alternative >= MAX_ALTERNATIVES:
        raise TooManyAlternatives(f"The place {current.seq} holds {MAX_ALTERNATIVES} alternatives: no more are taken.")
    new = Message(
        tenant_id=current.tenant_id,
        conversation=current.conversation,
        seq=current.seq,
        alternative=alternative,
        alternative_of_id=current.place_id,
        revision_of=current if is_edit else None,
        role=current.role,
        content=draft.content,
        reply_to_id=current.reply_to_id,
        npc_id=current.npc_id,
        session_id=current.session_id,
        language=prepared.language,
        frame=prepared.frame,
        memory_type=draft.memory_type,
        response_description=draft.response_description,
        mood=draft.mood,
        sent_at=current.sent_at,
    )
    return _switch(current, new, prepared.indexed)


def select_alternative(current: Message, wanted_id: int) -> Switch:
    """An alternative that is there, current at its place. Call it under `lock_place`. Raises MessageForgotten."""
    if current.pk == wanted_id:
        return Switch(current)
    wanted = Message.objects.select_for_update(no_key=True).get(pk=wanted_id, conversation_id=current.conversation_id)
    wanted.conversation = current.conversation
    if wanted.is_gone:
        raise MessageForgotten(f"The message {wanted.pk} is forgotten.")
    draft = AlternativeDraft(wanted.content, language=wanted.language, frame=wanted.frame)
    return _switch(current, wanted, prepare_alternative(wanted, draft).indexed)


def record_change(
    deselected: Message, selected: Message, *, kind: str, changed: dict[str, Any], requested_by: str
) -> MessageChange:
    """The log's entry of a switch that changed something."""
    return MessageChange.objects.create(
        tenant_id=selected.tenant_id,
        conversation_id=selected.conversation_id,
        kind=kind,
        deselected=deselected,
        selected=selected,
        changed=changed,
        requested_by=requested_by[:200],
    )


def _says_the_same(current: Message, prepared: PreparedAlternative) -> bool:
    """Whether an edit changes nothing: what it does not say stays as it is."""
    draft = prepared.draft
    said = {"content": draft.content, "language": draft.language, "frame": draft.frame, "mood": draft.mood}
    said |= {"memory_type": draft.memory_type, "response_description": draft.response_description}
    return all(getattr(current, name) == value for name, value in said.items() if value)


def _switch(current: Message, new: Message, indexed: IndexedText) -> Switch:
    """The new message in the place of the current one: index, snippets, summaries, and all stores above."""
    Message.objects.filter(pk=current.pk).update(is_current=False)
    current.is_current = False
    passages = MessagePassage.objects.filter(message=current).delete()[0]
    if new.pk is None:
        new.save(force_insert=True)
        new.refresh_from_db(fields=["created_at"])
    else:
        Message.objects.filter(pk=new.pk).update(is_current=True)
        new.is_current = True
    _index(new, indexed)
    withdrawal = Withdrawal(
        tenant_id=current.tenant_id,
        end_user_id=current.conversation.end_user_id,
        conversation_id=current.conversation_id,
        seq=current.seq,
        deselected_id=current.pk,
        selected_id=new.pk,
    )
    counts = {
        "passages": passages,
        "snippets": clear_snippets([current.pk]),
        "talk_summaries": clear_summaries([current.pk]),
        **withdraw_from_stores(withdrawal),
    }
    return Switch(new, current, counts)


def _index(message: Message, indexed: IndexedText) -> None:
    """The message can be found, by keywords at once."""
    if message.role == MessageRole.SYSTEM:
        return
    MessagePassage.objects.create(
        tenant_id=message.tenant_id,
        message=message,
        conversation_id=message.conversation_id,
        end_user_id=message.conversation.end_user_id,
        seq=message.seq,
        language=message.language[:16],
        length=indexed.length,
        lexemes=indexed.lexemes,
        bm25=indexed.bm25,
        embedding_hash=hash_embedded_text(message.content),
        embedder="",
        created_at=timezone.now(),
    )
    queue_embedding(message.tenant_id, message.conversation_id, is_batch=False)
