"""What forgetting would clear, what it left, and its receipts."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value

from episodes.conversations.models import PLACE_ID
from episodes.embedding.models.passages import PARTITION_KIND
from episodes.errors import EmptyTopic, UnknownMessage, UnknownReceipt
from episodes.events.selectors.nodes import count_events_of
from episodes.facts.selectors.evidence import Evidence, list_evidence
from episodes.facts.selectors.losses import find_lost_facts
from episodes.facts.selectors.worlds import find_facts_of_world
from episodes.forgetting.core.selections import Selection
from episodes.forgetting.selectors.echoes import find_echoes
from episodes.forgetting.selectors.user_mentions import count_naming
from episodes.models import (
    ERASED_CONTENT,
    EchoSearch,
    ForgetReceipt,
    Message,
    MessagePassage,
    MessageRole,
    MessageSnippet,
    PartyMember,
    SnippetState,
    TalkSummary,
)
from knowledge.facts.actions.endings import list_facts_around
from knowledge.facts.models import UserFact
from knowledge.facts.selectors import FactView
from knowledge.facts.selectors.facts import view_fact
from knowledge.search.core.lexemes import build_partition_id, hash_lexeme
from knowledge.search.models import EmbeddingState
from knowledge.text.queries import list_telling_forms
from memoryproject.rest.errors import UnknownCursor
from npcs.models import Disposition
from tenancy.models import EndUser

MAX_SHOWN = 200
MAX_RECEIPTS = 200


@dataclass(frozen=True, slots=True)
class ForgetPreview:
    """What would be cleared, by count, and what it is; `has_more` when there are more messages than are shown.

    `echoes` are the assistants' messages that would go because they say again what is known by the chosen ones alone.
    """

    would_clear: dict[str, int]
    messages: tuple[Evidence, ...]
    has_more: bool
    facts: tuple[FactView, ...]
    echoes: tuple[Evidence, ...] = ()
    echoes_searched: str = EchoSearch.NOT_NEEDED


def select_messages(*, tenant_id: int, end_user_id: int, selection: Selection) -> QuerySet[Message]:
    """The chosen messages that are not forgotten yet; with a current one go all alternatives of its place."""
    rows = Message.objects.kept().filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    if selection.world_id is not None:
        rows = rows.filter(conversation__world_id=selection.world_id)
    if selection.scope == "messages":
        places = Message.objects.filter(pk__in=selection.message_ids, is_current=True).annotate(place=PLACE_ID)
        first = list(places.values_list("place", flat=True)) if selection.message_ids else []
        return rows.filter(Q(pk__in=selection.message_ids) | Q(pk__in=first) | Q(alternative_of__in=first))
    if selection.sent_from is not None:
        rows = rows.filter(sent_at__gte=selection.sent_from)
    if selection.sent_to is not None:
        rows = rows.filter(sent_at__lt=selection.sent_to)
    return rows


def list_own_messages(*, tenant_id: int, end_user_id: int, world_id: int | None) -> QuerySet[Message]:
    """All messages of the user's conversations, or of those in one world."""
    rows = Message.objects.filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    return rows if world_id is None else rows.filter(conversation__world_id=world_id)


def find_topic_messages(*, tenant_id: int, end_user_id: int, topic: str, world_id: int | None = None) -> list[int]:
    """The user's messages that hold every telling word of the topic, in any form that the analysis takes for the same;
    newest first, one more than is ever shown. One query, by the index on lexemes. Raises InvalidForgetting.
    """
    telling = list_telling_forms(topic)
    if not telling:
        raise EmptyTopic("There is no word in the topic.")
    partition_id = build_partition_id(PARTITION_KIND, end_user_id)
    found = MessagePassage.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    for forms in telling:
        found = found.filter(lexemes__overlap=[hash_lexeme(partition_id, lexeme) for lexeme in forms])
    if world_id is not None:
        found = found.filter(message__conversation__world_id=world_id)
    return list(found.order_by("-message_id").values_list("message_id", flat=True)[: MAX_SHOWN + 1])


def preview_topic(*, tenant_id: int, end_user_id: int, topic: str, world_id: int | None = None) -> ForgetPreview:
    """What forgetting the shown messages of a topic would clear. Raises InvalidForgetting, FactKeysMissing."""
    found = find_topic_messages(tenant_id=tenant_id, end_user_id=end_user_id, topic=topic, world_id=world_id)
    selection = Selection("messages", message_ids=tuple(found[:MAX_SHOWN]), world_id=world_id)
    preview = preview_forgetting(tenant_id=tenant_id, end_user_id=end_user_id, selection=selection)
    return replace(preview, has_more=len(found) > MAX_SHOWN)


def preview_forgetting(*, tenant_id: int, end_user_id: int, selection: Selection) -> ForgetPreview:
    """What forgetting would clear now; nothing changes. Raises UnknownMessage, FactKeysMissing."""
    _check_own(tenant_id, end_user_id, selection)
    chosen = select_messages(tenant_id=tenant_id, end_user_id=end_user_id, selection=selection)
    ids = list(chosen.order_by("pk").values_list("pk", flat=True))
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    facts = find_lost_facts(**owner_filter, message_ids=ids, world_id=selection.world_id)
    scan = find_echoes(**owner_filter, message_ids=ids, facts=facts, world_id=selection.world_id)
    echoes = scan.message_ids
    gone = [*ids, *echoes]
    passages = MessagePassage.objects.filter(message_id__in=gone)
    would_clear = {
        "messages": len(gone),
        "echoes": len(echoes),
        "passages": passages.count(),
        "vectors": passages.filter(embedding_state=EmbeddingState.DONE).count(),
        "descriptions": list_described_replies(gone).count(),
        "snippets": count_snippets_around(gone),
        "talk_summaries": _list_summaries(gone).count(),
        "events": count_events_of(gone),
        "facts": len(facts),
    }
    shown = [view_fact(row) for row in facts[:MAX_SHOWN]]
    if selection.world_id is not None and shown:
        own = find_facts_of_world(tenant_id=tenant_id, end_user_id=end_user_id, world_id=selection.world_id)
        shown = [own.trim(fact) for fact in shown]
    evidence = list_evidence(tenant_id=tenant_id, end_user_id=end_user_id, message_ids=ids[:MAX_SHOWN])
    again = list_evidence(**owner_filter, message_ids=echoes[:MAX_SHOWN])
    has_more = max(len(ids), len(echoes)) > MAX_SHOWN
    return ForgetPreview(would_clear, tuple(evidence), has_more, tuple(shown), tuple(again), scan.search)


def preview_erasure(*, tenant_id: int, end_user_id: int, world_id: int | None = None) -> ForgetPreview:
    """What an erasure would clear now, or one of a world's conversations; counts only; nothing changes."""
    if world_id is not None:
        return _preview_world_erasure(tenant_id, end_user_id, world_id)
    external_id = EndUser.objects.values_list("external_id", flat=True).get(tenant_id=tenant_id, pk=end_user_id)
    everything = preview_forgetting(tenant_id=tenant_id, end_user_id=end_user_id, selection=Selection("all"))
    facts = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).exclude(value_sealed=b"")
    contents = Message.objects.filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    counts = {
        **everything.would_clear,
        "facts": facts.count(),
        "contents": contents.exclude(content=ERASED_CONTENT).count(),
        "party_members": PartyMember.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).count(),
        "dispositions": Disposition.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).count(),
        **count_naming(tenant_id=tenant_id, external_id=external_id),
    }
    return ForgetPreview(counts, (), has_more=False, facts=())


def _preview_world_erasure(tenant_id: int, end_user_id: int, world_id: int) -> ForgetPreview:
    selection = Selection("all", world_id=world_id)
    everything = preview_forgetting(tenant_id=tenant_id, end_user_id=end_user_id, selection=selection)
    own = find_facts_of_world(tenant_id=tenant_id, end_user_id=end_user_id, world_id=world_id)
    contents = list_own_messages(tenant_id=tenant_id, end_user_id=end_user_id, world_id=world_id)
    counts = {
        **everything.would_clear,
        "facts": len(own.fact_ids),
        "contents": contents.exclude(content=ERASED_CONTENT).count(),
    }
    return ForgetPreview(counts, (), has_more=False, facts=())


def list_described_replies(message_ids: Iterable[int]) -> QuerySet[Message]:
    """Messages whose description may tell of these: themselves, replies to them, the next assistant's after each.

    Source: seed 002, fix 15.
    """
    ids = list(message_ids)
    following = Message.objects.filter(
        conversation_id=OuterRef("conversation_id"), role=MessageRole.ASSISTANT, seq__gt=OuterRef("seq")
    )
    next_ids = Message.objects.filter(pk__in=ids).values_list(Subquery(following.order_by("seq").values("pk")[:1]))
    replies = Q(role=MessageRole.ASSISTANT) & (Q(reply_to_id__in=ids) | Q(pk__in=next_ids))
    return Message.objects.filter(Q(pk__in=ids) | replies).exclude(response_description="")


def count_snippets_around(message_ids: Iterable[int]) -> int:
    """How many snippets go with these messages: their own, and those of the messages right before and after."""
    chosen = Message.objects.filter(pk__in=list(message_ids))
    seq = OuterRef("message__seq")
    beside = chosen.filter(
        conversation_id=OuterRef("message__conversation_id"), seq__gte=seq - Value(1), seq__lte=seq + Value(1)
    )
    near = MessageSnippet.objects.filter(message__conversation_id__in=chosen.values("conversation_id"))
    return near.filter(Exists(beside), state=SnippetState.READY).count()


def _list_summaries(message_ids: Iterable[int]) -> QuerySet[TalkSummary]:
    """Summaries of talk that rest on one of these messages."""
    ids = list(message_ids)
    conversations = Message.objects.filter(pk__in=ids).values("conversation_id")
    return TalkSummary.objects.filter(conversation_id__in=conversations, evidence__overlap=ids)


def count_leftovers(receipt: ForgetReceipt) -> dict[str, int]:
    """What a search finds of what the receipt says is gone, by store: all 0 where forgetting worked. Eight queries,
    three more for an erasure."""
    ids: Sequence[int] = receipt.message_ids
    owner_filter = {"tenant_id": receipt.tenant_id, "end_user_id": receipt.end_user_id}
    passages = MessagePassage.objects.filter(**owner_filter)
    lexemes = (receipt.work or {}).get("lexemes", [])
    found = passages.filter(lexemes__overlap=lexemes, message_id__in=ids) if lexemes else passages.none()
    left = {
        "messages": Message.objects.filter(pk__in=ids, forgotten_at__isnull=True).count(),
        "found_by_words": found.count(),
        "passages": passages.filter(message_id__in=ids).count(),
        "descriptions": list_described_replies(ids).count(),
        "snippets": MessageSnippet.objects.filter(message_id__in=ids).count(),
        "talk_summaries": _list_summaries(ids).count(),
        "events": count_events_of(ids),
        "facts": list_facts_around(receipt.tenant_id, receipt.end_user_id, ids).count(),
    }
    if receipt.asked.get("scope") == "erasure":
        left["contents"] = Message.objects.filter(pk__in=ids).exclude(content=ERASED_CONTENT).count()
        left |= count_erased_names(receipt) if receipt.world_id is None else {}
    return left


def count_erased_names(receipt: ForgetReceipt) -> dict[str, int]:
    """What still leads to an erased user. Three queries."""
    owner_filter = {"tenant_id": receipt.tenant_id, "end_user_id": receipt.end_user_id}
    users = EndUser.objects.filter(tenant_id=receipt.tenant_id, pk=receipt.end_user_id, erased_in__isnull=True)
    return {
        "user_id": users.count(),
        "party_members": PartyMember.objects.filter(**owner_filter).count(),
        "dispositions": Disposition.objects.filter(**owner_filter).count(),
    }


def list_receipts(
    *,
    tenant_id: int,
    end_user_id: int,
    world_id: int | None = None,
    after: uuid.UUID | None = None,
    limit: int = MAX_RECEIPTS,
) -> list[ForgetReceipt]:
    """The user's receipts, or those of one world's keys, newest first; `after` is the last one of the page before.

    One query, two with `after`. Raises UnknownCursor where it names none of them.
    """
    rows = ForgetReceipt.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    if world_id is not None:
        rows = rows.filter(world_id=world_id)
    if after is not None:
        created_at = rows.filter(pk=after).values_list("created_at", flat=True).first()
        if created_at is None:
            raise UnknownCursor("cursor names no receipt of this user.", parameter="cursor")
        rows = rows.filter(Q(created_at__lt=created_at) | Q(created_at=created_at, pk__gt=after))
    return list(rows.defer("message_ids", "work").order_by("-created_at", "id")[:limit])


def get_receipt(
    *, tenant_id: int, end_user_id: int, receipt_id: uuid.UUID, world_id: int | None = None
) -> ForgetReceipt:
    """One receipt of the user; with `world_id`, of that world's keys. Raises UnknownReceipt."""
    found = ForgetReceipt.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, pk=receipt_id).first()
    if found is None or (world_id is not None and found.world_id != world_id):
        raise UnknownReceipt(f"There is no receipt {receipt_id}.")
    return found


def get_receipt_of_tenant(*, tenant_id: int, receipt_id: uuid.UUID) -> ForgetReceipt:
    """One receipt with its user, who may have another id by now. Raises UnknownReceipt."""
    try:
        return ForgetReceipt.objects.select_related("end_user").get(tenant_id=tenant_id, pk=receipt_id)
    except ForgetReceipt.DoesNotExist:
        raise UnknownReceipt(f"There is no receipt {receipt_id}.") from None


def _check_own(tenant_id: int, end_user_id: int, selection: Selection) -> None:
    wanted = set(selection.message_ids)
    own = list_own_messages(tenant_id=tenant_id, end_user_id=end_user_id, world_id=selection.world_id)
    own = own.filter(pk__in=wanted)
    missing = wanted - set(own.values_list("pk", flat=True)) if wanted else set()
    if missing:
        raise UnknownMessage(f"There is no message {min(missing)}.")
