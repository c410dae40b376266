"""What a support person sees of a place: what stood there, and what each change of it did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from episodes.alternatives.models import MessageChange
from episodes.conversations.selectors.conversations import mask_gone
from episodes.models import Message
from knowledge.facts.selectors import FactView
from knowledge.facts.selectors.facts import map_facts

SENTENCES: Mapping[str, str] = {
    "ended": "ended",
    "restored": "came back",
    "added": "became known",
    "settled": "changed its dispute",
    "kept": "lost a proof and stands",
}
"""What became of a fact, by its list in `MessageChange.changed`."""


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact and what became of it."""

    fact: FactView
    outcome: str


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """An edit, swipe or choice, and the facts that it changed."""

    change: MessageChange
    facts: tuple[ChangedFact, ...]


@dataclass(frozen=True, slots=True)
class PlaceHistory:
    """What else stood at a place, and how it changed, newest first."""

    others: tuple[Message, ...]
    """Alternatives that are not current; of forgotten ones, that they were there."""
    changes: tuple[ChangeHistory, ...]


def load_place_histories(messages: Sequence[Message]) -> dict[int, PlaceHistory]:
    """Current message to the story of its place, of places that ever changed. Three queries at most."""
    places = {(each.conversation_id, each.seq): each.pk for each in messages}
    if not places:
        return {}
    conversation_ids = {conversation_id for conversation_id, _ in places}
    seqs = [seq for _, seq in places]
    rows = Message.objects.filter(conversation__in=conversation_ids, seq__in=seqs).exclude(is_current=True)
    others: defaultdict[int, list[Message]] = defaultdict(list)
    for row in rows.select_related("conversation").order_by("alternative"):
        mask_gone(row.conversation, [row])
        if (row.conversation_id, row.seq) in places:
            others[places[row.conversation_id, row.seq]].append(row)
    if not others:
        return {}
    changed: defaultdict[int, list[MessageChange]] = defaultdict(list)
    told = [row.pk for each in others.values() for row in each]
    changes = MessageChange.objects.filter(Q(deselected__in=told) | Q(selected__in=told), tenant=messages[0].tenant_id)
    for change in changes.select_related("deselected").order_by("-pk"):
        changed[places[change.conversation_id, change.deselected.seq]].append(change)
    facts = _load_facts(messages[0].tenant_id, (change for each in changed.values() for change in each))
    return {
        pk: PlaceHistory(tuple(each), tuple(_build_change(change, facts) for change in changed[pk]))
        for pk, each in others.items()
    }


def _load_facts(tenant_id: int, changes: Iterable[MessageChange]) -> dict[int, FactView]:
    ids = {pk for change in changes for name in SENTENCES for pk in change.changed["facts"].get(name, ())}
    return map_facts(tenant_id=tenant_id, fact_ids=ids)


def _build_change(change: MessageChange, facts: Mapping[int, FactView]) -> ChangeHistory:
    told = [
        ChangedFact(facts[pk], outcome)
        for name, outcome in SENTENCES.items()
        for pk in change.changed["facts"].get(name, ())
        if pk in facts
    ]
    return ChangeHistory(change, tuple(told))
