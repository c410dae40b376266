"""What happened in play: a summary or an event with all that follows from it, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from episodes.campaigns.actions.campaigns import lock_campaign
from episodes.campaigns.actions.flags import FlagMove, set_flags
from episodes.campaigns.actions.graph import link_summaries
from episodes.campaigns.actions.passages import build_passage, queue_summary_embedding
from episodes.campaigns.core.summaries import PARTY, EventDraft, SummaryDraft
from episodes.errors import (
    CampaignClosed,
    EventConflict,
    InvalidSummary,
    PlaceTaken,
    SceneOfOtherParty,
    SummaryConflict,
)
from episodes.models import (
    Campaign,
    CampaignState,
    EpisodicSummary,
    EventFact,
    Loot,
    NpcPresence,
    NpcTold,
    Party,
    PartyMember,
    Scene,
)
from episodes.npc_memory.actions import replace_rumours
from episodes.sharing.actions import end_last_scene
from knowledge.text.language import detect_language
from memoryproject.constraints import find_constraint
from npcs.dispositions.actions.moves import apply_disposition_changes
from npcs.dispositions.core.moves import AppliedDisposition, DispositionChange
from tenancy.actions.end_users import lock_end_users, lock_known_users
from tenancy.models import EndUser


@dataclass(frozen=True, slots=True)
class RecordedSummary:
    """A summary in its place and what it changed; a repeat changed nothing."""

    summary: EpisodicSummary
    created: bool
    flags: tuple[FlagMove, ...] = ()
    dispositions: tuple[AppliedDisposition, ...] = ()
    """In the order of `relations_delta`."""
    told: int = 0


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event in its place and what it changed; a repeat changed nothing."""

    event: EventFact
    created: bool
    flags: tuple[FlagMove, ...] = ()


def record_summary(*, tenant_id: int, world_id: int, draft: SummaryDraft) -> RecordedSummary:
    """The summary with its flags, loot, moved dispositions, and who saw it or was told: all or nothing.

    The campaign must be open; party, scene and players are made on their first mention. The first summary of a scene
    ends the party's scene before it. The same body again changes nothing. Locks the campaign, the users against
    erasure, dispositions; enqueues the embedding. Raises UnknownCampaign, CampaignClosed, SummaryConflict, PlaceTaken,
    InvalidSummary, and what `apply_disposition_changes` raises.
    """
    try:
        with transaction.atomic():
            campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=draft.campaign_id)
            known = _find_summary(campaign, draft)
            if known is not None:
                return RecordedSummary(known, created=False)
            _check_open(campaign)
            return _store(campaign, draft)
    except IntegrityError as error:
        if find_constraint(error) != "summary_id_unique":
            raise
        raise _make_summary_conflict(draft) from error


def record_event(*, tenant_id: int, world_id: int, draft: EventDraft) -> RecordedEvent:
    """The event with its flags, of its party or of the whole campaign. The same body again changes nothing.

    Locks the campaign, and users whom its flags name against erasure. Raises UnknownCampaign, CampaignClosed,
    EventConflict, PlaceTaken.
    """
    try:
        with transaction.atomic():
            campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=draft.campaign_id)
            known = _find_event(tenant_id, world_id, draft)
            if known is not None:
                return RecordedEvent(known, created=False)
            _check_open(campaign)
            lock_known_users(tenant_id=tenant_id, external_ids=draft.mentioned)
            party = None if draft.party_id is None else _ensure_party(campaign, draft.party_id)
            event = EventFact.objects.create(
                tenant_id=tenant_id,
                world_id=world_id,
                campaign=campaign,
                checkpoint_id=campaign.head_id,
                party=party,
                event_id=draft.event_id,
                seq=_take_seq(campaign),
                kind=draft.kind,
                body=dict(draft.body),
                body_hash=draft.body_hash,
                happened_at=draft.happened_at,
                notes=draft.notes,
            )
            return RecordedEvent(event, created=True, flags=set_flags(campaign, party, draft.flags, event=event))
    except IntegrityError as error:
        if find_constraint(error) != "event_id_unique":
            raise
        raise EventConflict(f"The event {draft.event_id!r} came before with another body.") from error


def _find_event(tenant_id: int, world_id: int, draft: EventDraft) -> EventFact | None:
    known = EventFact.objects.living().filter(tenant_id=tenant_id, world_id=world_id, event_id=draft.event_id).first()
    if known is not None and bytes(known.body_hash) != draft.body_hash:
        raise EventConflict(f"The event {draft.event_id!r} came before with another body.")
    return known


def _find_summary(campaign: Campaign, draft: SummaryDraft) -> EpisodicSummary | None:
    known = (
        EpisodicSummary.objects.living()
        .select_related("scene", "party", "campaign")
        .filter(tenant_id=campaign.tenant_id, world_id=campaign.world_id, summary_id=draft.summary_id)
        .first()
    )
    if known is not None and bytes(known.body_hash) != draft.body_hash:
        raise _make_summary_conflict(draft)
    return known


def _store(campaign: Campaign, draft: SummaryDraft) -> RecordedSummary:
    players = _lock_users(campaign.tenant_id, draft)
    party = _ensure_party(campaign, draft.party_id)
    scene = _ensure_scene(party, draft)
    if scene.is_new:
        end_last_scene(campaign, party)
    _ensure_members(campaign, party, players)
    summary = EpisodicSummary.objects.create(
        tenant_id=campaign.tenant_id,
        world_id=campaign.world_id,
        campaign=campaign,
        checkpoint_id=campaign.head_id,
        party=party,
        scene=scene.scene,
        summary_id=draft.summary_id,
        seq=_take_seq(campaign),
        body=dict(draft.body),
        body_hash=draft.body_hash,
        happened_at=draft.happened_at,
        location_id=draft.location_id,
        event=draft.event,
        outcome=draft.outcome,
        notes=draft.notes,
        notes_tokens=draft.notes_tokens,
        language=detect_language(draft.notes)[:16],
        created_at=timezone.now(),
    )
    tenant_id = campaign.tenant_id
    Loot.objects.bulk_create(
        [Loot(tenant_id=tenant_id, party=party, summary=summary, item_id=item, qty=qty) for item, qty in draft.loot]
    )
    NpcPresence.objects.bulk_create(
        [NpcPresence(tenant_id=tenant_id, summary=summary, npc_id=npc_id) for npc_id in draft.npcs]
    )
    told = _store_hearsay(campaign, summary, draft)
    build_passage(summary, draft).save(force_insert=True)
    link_summaries(campaign.pk, [(summary, draft)])
    flags = set_flags(campaign, party, draft.flags, summary=summary)
    moved = apply_disposition_changes(
        tenant_id=tenant_id,
        world_id=campaign.world_id,
        changes=_list_changes(draft),
        summary_id=draft.summary_id,
        campaign_id=draft.campaign_id,
        happened_at=draft.happened_at,
        checkpoint_id=campaign.head_id,
    )
    queue_summary_embedding(campaign.pk)
    return RecordedSummary(summary, created=True, flags=flags, dispositions=tuple(moved), told=told)


def _list_changes(draft: SummaryDraft) -> Sequence[DispositionChange]:
    return [
        DispositionChange(
            npc_id=delta.npc_id,
            towards_kind="party" if delta.towards == PARTY else "user",
            towards_id=draft.party_id if delta.towards == PARTY else delta.towards,
            delta=delta.delta,
            reason=delta.reason,
            rule=delta.rule,
        )
        for delta in draft.deltas
    ]


def _store_hearsay(campaign: Campaign, told_in: EpisodicSummary, draft: SummaryDraft) -> int:
    """How many NPCs were told of something. Raises InvalidSummary for an unknown summary."""
    wanted = {each.summary_id for each in draft.told}
    known: Mapping[str, EpisodicSummary] = (
        {
            row.summary_id: row
            for row in EpisodicSummary.objects.living()
            .filter(tenant_id=campaign.tenant_id, campaign=campaign, summary_id__in=wanted)
            .exclude(pk=told_in.pk)
        }
        if wanted
        else {}
    )
    errors = [
        {"path": f"told[{place}].summary_id", "message": "is no earlier summary of this campaign"}
        for place, each in enumerate(draft.told)
        if each.summary_id not in known
    ]
    if errors:
        raise InvalidSummary(f"{errors[0]['path']}: {errors[0]['message']}", errors=errors)
    rows = [
        NpcTold(
            tenant_id=campaign.tenant_id,
            checkpoint_id=campaign.head_id,
            npc_id=each.npc_id,
            summary=known[each.summary_id],
            source=each.source,
            told_in=told_in,
            told_at=draft.happened_at,
        )
        for each in draft.told
    ]
    replace_rumours(rows)
    NpcTold.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _ensure_party(campaign: Campaign, external_id: str) -> Party:
    place = {"tenant_id": campaign.tenant_id, "world_id": campaign.world_id, "external_id": external_id}
    party = Party.objects.filter(**place).first()
    if party is None:
        Party.objects.bulk_create([Party(**place, campaign=campaign)], ignore_conflicts=True)
        party = Party.objects.get(**place)
    if party.campaign_id != campaign.pk:
        raise PlaceTaken(f"The party {external_id!r} plays another campaign.")
    return party


def _lock_users(tenant_id: int, draft: SummaryDraft) -> Collection[EndUser]:
    """The players; neither they nor other users whom the summary names are erased before it is there to be found."""
    lock_known_users(tenant_id=tenant_id, external_ids=draft.mentioned)
    return lock_end_users(tenant_id=tenant_id, external_ids=draft.players).values()


def _ensure_members(campaign: Campaign, party: Party, users: Collection[EndUser]) -> None:
    known = set(party.members.living().values_list("end_user_id", flat=True))
    PartyMember.objects.bulk_create(
        [
            PartyMember(tenant_id=party.tenant_id, party=party, end_user=user, checkpoint_id=campaign.head_id)
            for user in users
            if user.pk not in known
        ],
        ignore_conflicts=True,
    )


@dataclass(frozen=True, slots=True)
class _EnsuredScene:
    scene: Scene
    is_new: bool
    """Nothing that holds was told of it yet."""


def _ensure_scene(party: Party, draft: SummaryDraft) -> _EnsuredScene:
    scene, created = Scene.objects.get_or_create(
        tenant_id=party.tenant_id,
        campaign_id=party.campaign_id,
        external_id=draft.scene_id,
        defaults={"party": party, "location_id": draft.location_id},
    )
    if scene.party_id != party.pk:
        raise SceneOfOtherParty(f"The scene {draft.scene_id!r} is another party's.")
    newest = None if created else scene.summaries.living().aggregate(newest=Max("happened_at"))["newest"]
    is_latest = newest is None or newest <= draft.happened_at
    if not created and is_latest and scene.location_id != draft.location_id:
        scene.location_id = draft.location_id
        scene.save(update_fields=["location_id"])
    return _EnsuredScene(scene, is_new=newest is None)


def _take_seq(campaign: Campaign) -> int:
    campaign.last_seq += 1
    campaign.save(update_fields=["last_seq"])
    return campaign.last_seq


def _check_open(campaign: Campaign) -> None:
    if campaign.state != CampaignState.ACTIVE:
        raise CampaignClosed(f"The campaign {campaign.external_id!r} is {campaign.state}: it takes nothing more.")


def _make_summary_conflict(draft: SummaryDraft) -> SummaryConflict:
    return SummaryConflict(f"The summary {draft.summary_id!r} came before with another body.")
