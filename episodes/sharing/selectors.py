"""Reads of what NPCs learned lately, and of what they were told."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from django.db.models import Q, QuerySet

from episodes.errors import UnknownCampaign
from episodes.models import Campaign, EpisodicSummary, EventFact, NpcPresence, NpcTold
from episodes.sharing.core import Knowledge, Thing, find_segments
from knowledge.search.sql import read_query

LINE_AGES = Path(__file__).parent / "sql" / "line_ages.sql"
SUMMARY, EVENT = "summary", "event"


@dataclass(frozen=True, slots=True)
class HearsayPage:
    """Tellings, newest first, and where to go on; None where there are no more."""

    rows: tuple[NpcTold, ...]
    next_before: int | None


def read_ages(campaign: Campaign, max_ends: int) -> Mapping[int | None, int]:
    """How many scenes ended since each checkpoint of the line, up to `max_ends`; None: before the first. One query."""
    if campaign.head_id is None:
        return {None: 0}
    ages: dict[int | None, int] = {}
    with connection.cursor() as cursor:
        cursor.execute(read_query(LINE_AGES), {"checkpoint_id": campaign.head_id, "max_ends": max_ends})
        for checkpoint_id, ends, is_end, is_first in cursor.fetchall():
            ages[checkpoint_id] = ends
            if is_first:
                ages[None] = ends + int(is_end)
    return ages


def list_fresh_knowledge(campaign: Campaign, npc_ids: Collection[str], delays: Collection[int]) -> list[Knowledge]:
    """What the NPCs learned so many scene ends ago, of scenes and events that are found. Four queries."""
    ages = read_ages(campaign, max(delays) + 1)
    inside = _belonging(find_segments(ages, delays))
    tenant_id = campaign.tenant_id
    summaries = EpisodicSummary.objects.living().filter(
        inside, tenant_id=tenant_id, campaign=campaign, expired_at__isnull=True
    )
    saw = NpcPresence.objects.filter(tenant_id=tenant_id, npc_id__in=list(npc_ids), summary__in=summaries)
    found = [
        Knowledge(npc_id, Thing(SUMMARY, pk), party, age=ages[segment])
        for npc_id, pk, party, segment in saw.values_list(
            "npc_id", "summary_id", "summary__party__external_id", "summary__checkpoint_id"
        )
    ]
    # What was passed on at a scene's end belongs to it, and so was learned one scene earlier than what follows it.
    told_inside = _belonging(find_segments(ages, {*delays, *(delay - 1 for delay in delays)}))
    told = (
        NpcTold.objects.living()
        .filter(told_inside, tenant_id=tenant_id, npc_id__in=list(npc_ids))
        .filter(Q(summary__campaign=campaign, summary__expired_at__isnull=True) | Q(event__campaign=campaign))
        .select_related("summary__party", "event__party")
    )
    seen = {(each.npc_id, each.thing) for each in found}
    for row in told:
        known = _read_told(row, ages[row.checkpoint_id] + int(row.shared_at_id is not None))
        if known.age in delays and (known.npc_id, known.thing) not in seen:
            found.append(known)
    return found


def find_knowers(tenant_id: int, things: Collection[Thing]) -> frozenset[tuple[str, Thing]]:
    """Which NPCs know of the things: they were there, or were told. Two queries."""
    summaries = [thing.pk for thing in things if thing.kind == SUMMARY]
    events = [thing.pk for thing in things if thing.kind == EVENT]
    saw = NpcPresence.objects.filter(tenant_id=tenant_id, summary__in=summaries).values_list("npc_id", "summary_id")
    told = NpcTold.objects.living().filter(Q(summary__in=summaries) | Q(event__in=events), tenant_id=tenant_id)
    return frozenset(
        {
            *((npc_id, Thing(SUMMARY, pk)) for npc_id, pk in saw),
            *(
                (npc_id, Thing(EVENT, event) if summary is None else Thing(SUMMARY, summary))
                for npc_id, summary, event in told.values_list("npc_id", "summary_id", "event_id")
            ),
        }
    )


def read_notes(things: Collection[Thing]) -> dict[Thing, str]:
    """What the things say. Two queries."""
    summaries = EpisodicSummary.objects.filter(pk__in=[thing.pk for thing in things if thing.kind == SUMMARY])
    events = EventFact.objects.filter(pk__in=[thing.pk for thing in things if thing.kind == EVENT])
    return {
        **{Thing(SUMMARY, pk): notes for pk, notes in summaries.values_list("pk", "notes")},
        **{Thing(EVENT, pk): notes for pk, notes in events.values_list("pk", "notes")},
    }


def list_hearsay(
    *,
    tenant_id: int,
    world_id: int,
    campaign_id: str,
    npc_id: str | None = None,
    shared: bool | None = None,
    before: int | None = None,
    limit: int = 50,
) -> HearsayPage:
    """What NPCs were told in the campaign, newest first, taken back or not. Two queries. Raises UnknownCampaign."""
    campaign = Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id).first()
    if campaign is None:
        raise UnknownCampaign(f"There is no campaign {campaign_id!r}.")
    rows = filter_campaign(tenant_id, campaign.pk).select_related("summary", "event", "shared_at__scene")
    if npc_id is not None:
        rows = rows.filter(npc_id=npc_id)
    if shared is not None:
        rows = rows.filter(hop__gte=1) if shared else rows.filter(hop=0)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: limit + 1])
    return HearsayPage(tuple(found[:limit]), found[limit - 1].pk if len(found) > limit else None)


def filter_campaign(tenant_id: int, campaign_pk: int) -> QuerySet[NpcTold]:
    """All that NPCs were told of one campaign."""
    return NpcTold.objects.filter(
        Q(summary__campaign_id=campaign_pk) | Q(event__campaign_id=campaign_pk), tenant_id=tenant_id
    )


def name_thing(row: NpcTold) -> Thing:
    """What a telling is about."""
    return Thing(EVENT, row.event_id or 0) if row.summary_id is None else Thing(SUMMARY, row.summary_id)


def _read_told(row: NpcTold, age: int) -> Knowledge:
    about: EpisodicSummary | EventFact | None = row.summary or row.event
    party = None if about is None else about.party
    return Knowledge(
        npc_id=row.npc_id,
        thing=name_thing(row),
        party_id="" if party is None else party.external_id,
        age=age,
        hop=row.hop,
        is_rumour=row.is_rumour,
        told_pk=row.pk,
    )


def _belonging(segments: Collection[int | None]) -> Q:
    """Rows that belong to the checkpoints; None: to none."""
    belonging = Q(checkpoint_id__in=[each for each in segments if each is not None])
    return belonging | Q(checkpoint_id__isnull=True) if None in segments else belonging
