"""Reads of play: campaigns, where a party stands, summaries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from episodes.campaigns.core.summaries import FlagValue, render_summary
from episodes.campaigns.selectors.events import EventView, list_noted_events
from episodes.errors import UnknownCampaign, UnknownParty
from episodes.models import Campaign, CampaignState, EpisodicSummary, Flag, Party
from episodes.npc_memory.selectors.knowledge import check_npc, filter_known_by_npc, read_known_flags

SESSION_SUMMARIES = 2
"""How many summaries, and events, a session has unless more are asked for. Source: seed 000, 8.6."""
SESSION_FLAGS = 200
"""So many flags a session has at most, those set last; the campaign's flags are listed page by page."""


@dataclass(frozen=True, slots=True)
class CampaignView:
    """A campaign and how much is in it."""

    campaign: Campaign
    parties: tuple[str, ...]
    summary_count: int
    event_count: int


@dataclass(frozen=True, slots=True)
class SummaryView:
    """A summary as readers get it. `body` is what the engine sent."""

    pk: int
    summary_id: str
    campaign_id: str
    party_id: str
    scene_id: str
    seq: int
    happened_at: dt.datetime
    location_id: str
    event: str
    outcome: str
    notes: str
    language: str
    npcs: tuple[str, ...]
    body: Mapping[str, Any]
    expired_at: dt.datetime | None

    def render(self, language: str | None = None) -> str:
        """The short form that a model reads, without ids and dates."""
        return render_summary(self.notes, self.outcome, language or self.language)


@dataclass(frozen=True, slots=True)
class PartyState:
    """Where a party stands: its last summaries and events with notes, newest first, its flags, and its scene."""

    party_id: str
    campaign_id: str
    campaign_pk: int
    party_pk: int
    players: tuple[str, ...]
    summaries: tuple[SummaryView, ...]
    events: tuple[EventView, ...]
    flags: Mapping[str, FlagValue]
    """The one set last first."""
    scene_id: str | None
    """Of the newest summary."""
    location_id: str | None


def get_campaign(*, tenant_id: int, world_id: int, campaign_id: str) -> CampaignView:
    """The world's campaign by the engine's id, with its parties and counts. Two queries. Raises UnknownCampaign."""
    rows = _count_in(Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id))
    found = view_campaigns(rows)
    if not found:
        raise UnknownCampaign(f"There is no campaign {campaign_id!r}.")
    return found[0]


def list_campaigns(
    *, tenant_id: int, world_id: int, state: str | None = None, before: int | None = None, limit: int = 50
) -> list[CampaignView]:
    """The world's campaigns, newest first; `before` is the `pk` of the last one of the page before. Two queries."""
    rows = Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id)
    if state is not None:
        rows = rows.filter(state=state)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return view_campaigns(_count_in(rows.order_by("-pk"))[:limit])


def get_party_state(
    *, tenant_id: int, world_id: int, party_id: str, k: int = SESSION_SUMMARIES, npc_id: str | None = None
) -> PartyState:
    """Where the party stands, by its last `k` summaries that have not expired, its last `k` events and its last flags.

    With an NPC only what that one saw or was told of: scenes, events, and flags as these set them. Of an archived
    campaign there are no summaries and no events. A flag of the party hides the campaign's of the same name.
    Five queries, six for an NPC. Raises UnknownParty, UnknownNpc.
    """
    party = (
        Party.objects.select_related("campaign")
        .filter(tenant_id=tenant_id, world_id=world_id, external_id=party_id)
        .first()
    )
    if party is None:
        raise UnknownParty(f"There is no party {party_id!r}.")
    rows = open_summaries(tenant_id).filter(party=party)
    if npc_id is not None:
        check_npc(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id)
        rows = filter_known_by_npc(rows, tenant_id=tenant_id, npc_id=npc_id)
    summaries = _view(rows.order_by("-happened_at", "-seq")[:k])
    newest = summaries[0] if summaries else None
    return PartyState(
        party_id=party.external_id,
        campaign_id=party.campaign.external_id,
        campaign_pk=party.campaign_id,
        party_pk=party.pk,
        players=tuple(party.members.living().order_by("pk").values_list("end_user__external_id", flat=True)),
        summaries=summaries,
        events=list_noted_events(party, npc_id=npc_id, limit=k),
        flags=_read_flags(party) if npc_id is None else read_known_flags(party, npc_id=npc_id, limit=SESSION_FLAGS),
        scene_id=newest.scene_id if newest else None,
        location_id=newest.location_id if newest else None,
    )


def load_summaries(pks: Iterable[int]) -> dict[int, SummaryView]:
    """Summaries by their primary keys. One query."""
    rows = EpisodicSummary.objects.select_related("campaign", "party", "scene").filter(pk__in=list(pks))
    return {view.pk: view for view in _view(rows)}


def view_campaigns(rows: QuerySet[Campaign]) -> list[CampaignView]:
    """Counted campaigns with the ids of their parties. Two queries."""
    campaigns = list(rows)
    parties: dict[int, list[str]] = {campaign.pk: [] for campaign in campaigns}
    found = Party.objects.filter(campaign__in=campaigns).order_by("pk").values_list("campaign_id", "external_id")
    for pk, external_id in found:
        parties[pk].append(external_id)
    return [
        CampaignView(
            campaign=campaign,
            parties=tuple(parties[campaign.pk]),
            summary_count=campaign.summary_count,  # type: ignore[attr-defined]  # annotated
            event_count=campaign.event_count,  # type: ignore[attr-defined]
        )
        for campaign in campaigns
    ]


def _count_in(rows: QuerySet[Campaign]) -> QuerySet[Campaign]:
    return rows.annotate(
        summary_count=Count("summaries", filter=Q(summaries__undone_by__isnull=True), distinct=True),
        event_count=Count("events", filter=Q(events__undone_by__isnull=True), distinct=True),
    )


def open_summaries(tenant_id: int) -> QuerySet[EpisodicSummary]:
    """Summaries that are found: not expired, not undone, and of no archived campaign."""
    return (
        EpisodicSummary.objects.living()
        .select_related("campaign", "party", "scene")
        .filter(tenant_id=tenant_id, expired_at__isnull=True)
        .exclude(campaign__state=CampaignState.ARCHIVED)
    )


def _read_flags(party: Party) -> dict[str, FlagValue]:
    rows = Flag.objects.filter(is_set=True, tenant_id=party.tenant_id, campaign_id=party.campaign_id).filter(
        Q(party=party) | Q(party__isnull=True)
    )
    shown = rows.order_by("name", F("party").asc(nulls_last=True)).distinct("name")
    newest = Flag.objects.filter(pk__in=shown.values("pk")).order_by("-set_at", "name")
    return dict(newest.values_list("name", "value")[:SESSION_FLAGS])


def _view(rows: Iterable[EpisodicSummary]) -> tuple[SummaryView, ...]:
    return tuple(view_summary(row) for row in rows)


def view_summary(row: EpisodicSummary) -> SummaryView:
    """One summary, its campaign, party and scene already loaded."""
    return SummaryView(
        pk=row.pk,
        summary_id=row.summary_id,
        campaign_id=row.campaign.external_id,
        party_id=row.party.external_id,
        scene_id=row.scene.external_id,
        seq=row.seq,
        happened_at=row.happened_at,
        location_id=row.location_id,
        event=row.event,
        outcome=row.outcome,
        notes=row.notes,
        language=row.language,
        npcs=tuple(row.body["who"]["npcs"]),
        body=row.body,
        expired_at=row.expired_at,
    )
