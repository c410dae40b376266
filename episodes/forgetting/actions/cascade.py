"""What a forgotten message takes with it, store by store, inside one transaction. Source: seed 002, fix 15."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Q
from django.db.models.functions import Left
from django.utils import timezone

from episodes.condensing.actions.snippets import clear_snippets
from episodes.condensing.actions.talk_summaries import clear_summaries
from episodes.errors import UnknownMessage
from episodes.events.actions.staleness import withdraw_events
from episodes.facts.selectors.losses import find_lost_facts
from episodes.forgetting.core.replays import FactChanges, Replay, get_fact_replay
from episodes.forgetting.core.selections import Selection
from episodes.forgetting.selectors.echoes import find_echoes
from episodes.forgetting.selectors.forgetting import list_described_replies, list_own_messages, select_messages
from episodes.models import ChangeKind, Conversation, EchoSearch, Message, MessageChange, MessagePassage
from knowledge.facts.actions import clear_correction_reasons, forget_facts
from knowledge.facts.actions.locks import lock_end_user
from knowledge.search.models import EmbeddingState
from knowledge.search.query_embedding import hash_query
from knowledge.search.zero_hits import MAX_LOGGED_QUERY_LENGTH
from tenancy.actions.stored_answers import clear_stored_answers
from tenancy.models import EndUser

MAX_CACHED_QUERY_LENGTH = 4000
NOTHING_CHANGED = FactChanges()
MAX_CHECKED = 1000
"""Hashed lexemes of forgotten messages that the check searches for afterwards."""


@dataclass(frozen=True, slots=True)
class LockedMessages:
    """A user's messages that are to be forgotten, with all that could bring them back locked."""

    end_user: EndUser
    conversation_ids: tuple[int, ...]
    message_ids: tuple[int, ...]
    """All that is to be forgotten, echoes too."""
    text_hashes: tuple[str, ...]
    lost_fact_ids: tuple[int, ...]
    """The facts that lose their last proof."""
    echo_ids: tuple[int, ...]
    """The assistants' messages that say these facts again."""
    echo_search: EchoSearch


@dataclass(frozen=True, slots=True)
class Cascade:
    """What was cleared, by count in each store, and the hashed lexemes that must not be found any more."""

    cleared: dict[str, int]
    lexemes: tuple[int, ...]
    changes: FactChanges = NOTHING_CHANGED
    """What became of facts that did not rest on the messages alone."""


def lock_messages(*, tenant_id: int, end_user_id: int, selection: Selection) -> LockedMessages:
    """The chosen messages that are not forgotten yet, and the echoes of what is known by them alone.

    Locks the end user, conversations, messages, each in pk order. Every conversation is locked for all, for a time, and
    where a fact is lost: what is being posted meanwhile comes before, or stays. Raises UnknownEndUser, UnknownMessage.
    """
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    end_user = lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
    conversations = Conversation.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    if selection.world_id is not None:
        conversations = conversations.filter(world_id=selection.world_id)
    if selection.scope == "messages":
        wanted = set(selection.message_ids)
        own = list_own_messages(tenant_id=tenant_id, end_user_id=end_user_id, world_id=selection.world_id)
        places = dict(own.filter(pk__in=wanted).values_list("pk", "conversation_id"))
        if wanted - places.keys():
            raise UnknownMessage(f"There is no message {min(wanted - places.keys())}.")
        if not find_lost_facts(**owner_filter, message_ids=wanted, world_id=selection.world_id):
            conversations = conversations.filter(pk__in=set(places.values()))
    list(conversations.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    chosen = list(select_messages(**owner_filter, selection=selection).values_list("pk", flat=True))
    lost = find_lost_facts(**owner_filter, message_ids=chosen, world_id=selection.world_id)
    echoes = find_echoes(**owner_filter, message_ids=chosen, facts=lost, world_id=selection.world_id)
    messages = Message.objects.filter(pk__in=[*chosen, *echoes.message_ids], forgotten_at__isnull=True)
    rows = list(
        messages.select_for_update(no_key=True)
        .order_by("pk")
        .values_list("pk", "conversation_id", Left("content", MAX_CACHED_QUERY_LENGTH + 1))
    )
    return LockedMessages(
        end_user=end_user,
        conversation_ids=tuple(sorted({conversation_id for _, conversation_id, _ in rows})),
        message_ids=tuple(pk for pk, _, _ in rows),
        text_hashes=tuple(dict.fromkeys(each for _, _, text in rows for each in hash_as_query(text))),
        lost_fact_ids=tuple(row.pk for row in lost),
        echo_ids=echoes.message_ids,
        echo_search=echoes.search,
    )


def clear_messages(locked: LockedMessages, *, with_replay: bool = False) -> Cascade:
    """Marks the messages as forgotten and clears all that was derived from them. Call it under `lock_messages`.

    With a replay, what they had replaced, denied or disputed stands as the words that are left give it.
    """
    tenant_id, end_user_id = locked.end_user.tenant_id, locked.end_user.pk
    ids = locked.message_ids
    replay = _find_replay(locked) if with_replay else None
    passages, vectors, lexemes = _delete_passages(ids)
    descriptions = list_described_replies(ids).update(response_description="")
    messages = Message.objects.filter(pk__in=ids).update(forgotten_at=timezone.now())
    snippets = clear_snippets(ids)
    summaries = clear_summaries(ids)
    events = withdraw_events(ids)
    facts = forget_facts(tenant_id=tenant_id, end_user_id=end_user_id, fact_ids=locked.lost_fact_ids, message_ids=ids)
    cleared = {
        "messages": messages,
        "echoes": len(locked.echo_ids),
        "passages": passages,
        "vectors": vectors + events.vectors,
        "descriptions": descriptions,
        "snippets": snippets,
        "talk_summaries": summaries,
        "events": events.events,
        "facts": len(facts),
        "correction_reasons": clear_correction_reasons(tenant_id=tenant_id, end_user_id=end_user_id),
        "stored_answers": clear_stored_answers(
            tenant_id=tenant_id,
            paths=list_message_paths(locked.conversation_ids),
            path_start=f"/api/v1/users/{locked.end_user.external_id}/",
            ids={*ids, *facts},
        ),
    }
    changes = replay() if replay is not None else NOTHING_CHANGED
    return Cascade(cleared, lexemes, changes)


def _find_replay(locked: LockedMessages) -> Replay | None:
    known = get_fact_replay()
    if known is None or not locked.message_ids:
        return None
    user = locked.end_user
    return known.find(tenant_id=user.tenant_id, end_user_id=user.pk, message_ids=locked.message_ids)


def list_message_paths(conversation_ids: Sequence[int]) -> list[str]:
    """Where the messages of these conversations were posted, edited, swiped and chosen. One query."""
    starts = [f"/api/v1/conversations/{each}" for each in conversation_ids]
    paths = [f"{start}/{end}" for start in starts for end in ("messages", "messages/batch", "swipes")]
    changes = MessageChange.objects.filter(conversation__in=list(conversation_ids), tenant=F("conversation__tenant"))
    for kind, deselected_id, selected_id in changes.values_list("kind", "deselected_id", "selected_id"):
        if kind == ChangeKind.EDIT:
            paths.append(f"/api/v1/messages/{deselected_id}/edit")
        elif kind == ChangeKind.SELECT:
            paths.append(f"/api/v1/messages/{selected_id}/select")
    return paths


def _delete_passages(message_ids: Sequence[int]) -> tuple[int, int, tuple[int, ...]]:
    """How many passages and vectors are gone, and some of their hashed lexemes. Locks them in pk order."""
    rows = MessagePassage.objects.filter(message_id__in=message_ids)
    locked = list(rows.select_for_update().order_by("pk").values_list("pk", "embedding_state", "lexemes"))
    lexemes = dict.fromkeys(lexeme for _, _, each in locked for lexeme in each)
    deleted = MessagePassage.objects.filter(Q(pk__in=[pk for pk, _, _ in locked])).delete()[0]
    vectors = sum(state == EmbeddingState.DONE for _, state, _ in locked)
    return deleted, vectors, tuple(lexemes)[:MAX_CHECKED]


def hash_as_query(text: str) -> list[str]:
    """Hashes of what the text would be as a query, whole and as the list of failed ones cuts it; none of a long one."""
    if len(text) > MAX_CACHED_QUERY_LENGTH:
        return []
    return [hash_query(each) for each in dict.fromkeys((text, text[:MAX_LOGGED_QUERY_LENGTH]))]
