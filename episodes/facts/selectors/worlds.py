"""Which facts of a user one world may see: those that its own conversations, or its own key, hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.db.models import Exists, OuterRef, Q

from episodes.models import Conversation, ForgetReceipt, Message, PartyMember
from knowledge.facts.models import UserFact
from knowledge.facts.selectors import FactPlace, FactView, list_fact_places
from npcs.models import Disposition
from tenancy.models import EndUser

ALL_WORLDS = 0
"""In `stated_in`: stated for the whole tenant."""


@dataclass(frozen=True, slots=True)
class FactsOfWorld:
    """What of a user's facts belongs to one world."""

    fact_ids: frozenset[int]
    """All versions that a message of the world proves, or that were stated there or for the whole tenant."""
    current_ids: frozenset[int]
    """Of each fact the newest of these, unless it ended otherwise than by what was said in another world."""
    shared_ids: frozenset[int]
    """Versions that other worlds, or the tenant, hold as well."""
    message_ids: frozenset[int]
    """The messages of the world among all that prove or explain facts."""

    def trim(self, fact: FactView) -> FactView:
        """The fact as the world may see it: with its own messages, and standing as its own words left it."""
        seen = replace(
            fact,
            evidence=tuple(each for each in fact.evidence if each in self.message_ids),
            evidence_span=tuple(each for each in fact.evidence_span if each in self.message_ids),
            corrected_message_id=fact.corrected_message_id if fact.corrected_message_id in self.message_ids else None,
            superseded_by=fact.superseded_by if fact.superseded_by in self.fact_ids else None,
        )
        if fact.is_active or fact.id not in self.current_ids:
            return seen
        return replace(seen, is_active=True, valid_to=None, ended_reason="")


def is_met_in_world(*, tenant_id: int, end_user_id: int, world_id: int) -> bool:
    """Whether the world itself knows the user: by a talk, a fact, a party, a standing, or a receipt. One query."""
    users = EndUser.objects.filter(met_in_world(tenant_id, world_id), pk=end_user_id, tenant_id=tenant_id)
    return users.exists()


def met_in_world(tenant_id: int, world_id: int) -> Q:
    """That the world itself knows a user, as `is_met_in_world` says."""
    owner_filter = {"tenant_id": tenant_id, "end_user_id": OuterRef("pk")}
    return Q(
        Exists(Conversation.objects.filter(**owner_filter, world_id=world_id))
        | Exists(UserFact.objects.filter(**owner_filter, stated_in__contains=[world_id]))
        | Exists(PartyMember.objects.filter(**owner_filter, party__campaign__world_id=world_id))
        | Exists(Disposition.objects.filter(**owner_filter, npc__world_id=world_id))
        | Exists(ForgetReceipt.objects.filter(**owner_filter, world_id=world_id))
    )


def find_facts_of_world(*, tenant_id: int, end_user_id: int, world_id: int) -> FactsOfWorld:
    """Which facts belong to the worlds of their evidence, and so to this one. Two queries."""
    places = list_fact_places(tenant_id=tenant_id, end_user_id=end_user_id)
    message_ids = _find_messages(tenant_id, end_user_id, world_id, places)
    own = [place for place in places if _belongs(place, world_id, message_ids)]
    return FactsOfWorld(
        fact_ids=frozenset(place.id for place in own),
        current_ids=frozenset(_list_current(places, {place.id for place in own})),
        shared_ids=frozenset(place.id for place in own if _is_shared(place, world_id, message_ids)),
        message_ids=message_ids,
    )


def _find_messages(tenant_id: int, end_user_id: int, world_id: int, places: Iterable[FactPlace]) -> frozenset[int]:
    corrected = UserFact.objects.filter(
        tenant_id=tenant_id, end_user_id=end_user_id, corrected_message_id__isnull=False
    ).values("corrected_message_id")
    rested = {message_id for place in places for message_id in (*place.evidence, *place.evidence_span)}
    if not rested:
        return frozenset()
    rows = Message.objects.filter(
        Q(pk__in=rested) | Q(pk__in=corrected),
        tenant_id=tenant_id,
        conversation__end_user_id=end_user_id,
        conversation__world_id=world_id,
    )
    return frozenset(rows.values_list("pk", flat=True))


def _belongs(place: FactPlace, world_id: int, message_ids: frozenset[int]) -> bool:
    return bool({world_id, ALL_WORLDS} & set(place.stated_in) or message_ids & set(place.evidence))


def _is_shared(place: FactPlace, world_id: int, message_ids: frozenset[int]) -> bool:
    return bool(set(place.stated_in) - {world_id} or set(place.evidence) - message_ids)


def _list_current(places: Sequence[FactPlace], own: set[int]) -> Iterator[int]:
    """The version of each fact that the world holds for true: nobody's word in another world takes its place."""
    by_key = sorted(places, key=lambda place: (place.key, -place.id))
    for _, versions in groupby(by_key, key=lambda place: place.key):
        newest, *older = versions
        if not newest.is_active:
            continue
        for version in (newest, *older):
            if version.id in own:
                if version.is_active or version.ended_reason == "superseded":
                    yield version.id
                break
