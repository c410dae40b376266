"""Editing, swiping and choosing messages, with all that follows for what is known, in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from episodes.alternatives.actions import (
    AlternativeDraft,
    PreparedAlternative,
    Switch,
    check_current,
    lock_place,
    place_alternative,
    prepare_alternative,
    record_change,
    select_alternative,
)
from episodes.conversations.selectors.conversations import get_message
from episodes.errors import UnknownMessage
from episodes.forgetting.core.replays import FactChanges
from episodes.models import ChangeKind, Message, MessageChange
from factcheck.alternatives.facts import reevaluate_facts
from factcheck.alternatives.replay_selections import find_selection
from factcheck.core.message_extraction import EMPTY_EXTRACTION, NOTHING_READ, MessageExtraction, Reading
from factcheck.instant.actions.adjacent_messages import find_answered
from factcheck.instant.actions.extraction import read_message
from factcheck.instant.registry import get_compiled
from factcheck.instant.scorer import get_scorer, reuse_vectors
from factcheck.posting.actions.messages import extract_at_place
from factcheck.posting.actions.previous_extraction import load_previous_extraction
from factcheck.rebuild.actions.replay import read_ahead
from knowledge.facts.actions import replace_neighbour
from knowledge.facts.actions.locks import lock_end_user
from tenancy.models import EndUser

Act = Callable[[Message], Switch]


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """What stands at a place now, what was understood of it, and what followed. `change` None: nothing changed."""

    message: Message
    change: MessageChange | None
    facts: FactChanges
    understood: MessageExtraction


def edit_message(*, tenant_id: int, message_id: int, draft: AlternativeDraft, requested_by: str) -> ChangedPlace:
    """The message with other words, in its place and as of its time; the same words change nothing.

    Locks the player, the conversation, the message, its passage, facts. Raises UnknownMessage, MessageNotCurrent,
    MessageForgotten, InvalidMessage, FactKeysMissing: then nothing has changed.
    """
    old = get_message(tenant_id=tenant_id, message_id=message_id)
    prepared = prepare_alternative(old, draft, is_edit=True)

    def act(current: Message) -> Switch:
        check_current(current, message_id)
        return place_alternative(current, prepared, is_edit=True)

    return _change(old, act, kind=ChangeKind.EDIT, requested_by=requested_by, prepared=prepared)


def add_swipe(
    *, tenant_id: int, conversation_id: int, seq: int, draft: AlternativeDraft, requested_by: str
) -> ChangedPlace:
    """Another alternative of a place, current from now on. Raises as `edit_message` does; two at once are both kept."""
    old = get_current(tenant_id=tenant_id, conversation_id=conversation_id, seq=seq)
    prepared = prepare_alternative(old, draft)

    def act(current: Message) -> Switch:
        return place_alternative(current, prepared, is_edit=False)

    return _change(old, act, kind=ChangeKind.SWIPE, requested_by=requested_by, prepared=prepared)


def select_message(*, tenant_id: int, message_id: int, requested_by: str) -> ChangedPlace:
    """The message, current at its place. Raises UnknownMessage, MessageForgotten, FactKeysMissing."""
    wanted = get_message(tenant_id=tenant_id, message_id=message_id)

    def act(current: Message) -> Switch:
        return select_alternative(current, message_id)

    return _change(wanted, act, kind=ChangeKind.SELECT, requested_by=requested_by)


def get_current(*, tenant_id: int, conversation_id: int, seq: int) -> Message:
    """The current message of a conversation's own place. Raises UnknownMessage."""
    rows = Message.objects.select_related("conversation__end_user")
    found = rows.filter(tenant_id=tenant_id, conversation_id=conversation_id, seq=seq, is_current=True).first()
    if found is None:
        raise UnknownMessage(f"The conversation {conversation_id} has no place {seq} of its own.")
    return found


def _change(
    known: Message, act: Act, *, kind: str, requested_by: str, prepared: PreparedAlternative | None = None
) -> ChangedPlace:
    """The place after the act. What reads by meaning reads ahead, outside the transaction."""
    get_compiled()
    reading = NOTHING_READ if prepared is None else _read(known, prepared)
    place = {"tenant_id": known.tenant_id, "conversation_id": known.conversation_id, "seq": known.seq}
    with reuse_vectors():
        _read_ahead(known, prepared)
        with transaction.atomic():
            user = lock_end_user(tenant_id=known.tenant_id, end_user_id=known.conversation.end_user_id)
            _, current = lock_place(**place)
            switch = act(current)
            if switch.deselected is None:
                return ChangedPlace(switch.selected, None, FactChanges(), EMPTY_EXTRACTION)
            old, new = switch.deselected, switch.selected
            replace_neighbour(tenant_id=user.tenant_id, end_user_id=user.pk, old_id=old.pk, new_id=new.pk)
            facts = _reevaluate(user, old, new, is_known=prepared is None)
            understood = extract_at_place(end_user_id=user.pk, message=new, reading=reading)
            if (
                understood != EMPTY_EXTRACTION or facts.added
            ):  # later words may deny what nobody knew when they were said
                again = _reevaluate(user, old, new, is_known=True)
                if not again.is_none:  # what ended with the old words had the last word on a key
                    facts = facts.join(again)
                    understood = load_previous_extraction(messages=[new], end_user_id=user.pk).get(new.pk, understood)
            changed: dict[str, Any] = {"facts": asdict(facts), "cleared": dict(switch.counts or {})}
            change = record_change(old, new, kind=kind, changed=changed, requested_by=requested_by)
    return ChangedPlace(new, change, facts, understood)


def _reevaluate(user: EndUser, old: Message, new: Message, *, is_known: bool) -> FactChanges:
    owner_filter = {"tenant_id": user.tenant_id, "end_user_id": user.pk}
    selection = find_selection(**owner_filter, old=old, new=new, is_known=is_known)
    return reevaluate_facts(user, selection, new=new)


def _read(known: Message, prepared: PreparedAlternative) -> Reading:
    return read_message(
        tenant_id=known.tenant_id,
        role=known.role,
        content=prepared.draft.content,
        mode=prepared.frame,
        said_at=known.said_at,
        end_user_id=known.conversation.end_user_id,
        previous=find_answered(known, prepared.draft.content, prepared.frame),
    )


def _read_ahead(known: Message, prepared: PreparedAlternative | None) -> None:
    """Embeds what the replay will read, as far as that can be told without locks."""
    if get_scorer() is None:
        return
    owner_filter = {"tenant_id": known.tenant_id, "end_user_id": known.conversation.end_user_id}
    new = known if prepared is None else Message(role=known.role, content=prepared.draft.content)
    selection = find_selection(**owner_filter, old=known, new=new, is_known=prepared is None)
    if selection is not None:
        read_ahead(known.conversation.end_user, selection)
