"""The end of a scene, and what NPCs tell each other then."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db import transaction
from django.utils import timezone

from episodes.campaigns.actions.campaigns import lock_campaign
from episodes.errors import CampaignClosed, UnknownHearsay, UnknownScene
from episodes.metrics import NPC_SHARES
from episodes.models import Campaign, CampaignState, Checkpoint, CheckpointKind, EpisodicSummary, NpcTold, Party, Scene
from episodes.rollback.actions.checkpoints import add_checkpoint
from episodes.rollback.models import MAX_LABEL_LENGTH
from episodes.rollback.selectors import read_line
from episodes.sharing.core import Edge, Share, Thing, list_delays, spread_knowledge
from episodes.sharing.selectors import (
    EVENT,
    SUMMARY,
    filter_campaign,
    find_knowers,
    list_fresh_knowledge,
    name_thing,
    read_notes,
)
from knowledge.text.folding import normalise
from memoryproject.database import after_commit
from npcs.dispositions.selectors import get_scale
from npcs.profiles.selectors.relations import list_npc_secrets, list_party_dispositions, list_sharing_relations

SERVICE = "the service"


@dataclass(frozen=True, slots=True)
class EndedScene:
    """A scene's end and what was passed on then; a repeat finds both."""

    checkpoint: Checkpoint
    shares: tuple[NpcTold, ...]
    created: bool


def end_scene(*, tenant_id: int, world_id: int, campaign_id: str, scene_id: str, author: str) -> EndedScene:
    """The scene is over: a checkpoint is made, and NPCs pass on what their relations say. Once for each scene.

    Locks the campaign. Raises UnknownCampaign, CampaignClosed, UnknownScene.
    """
    with transaction.atomic():
        campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id)
        if campaign.state != CampaignState.ACTIVE:
            raise CampaignClosed(f"The campaign {campaign_id!r} is {campaign.state}: it takes nothing more.")
        scene = Scene.objects.filter(tenant_id=tenant_id, campaign=campaign, external_id=scene_id).first()
        if scene is None or not scene.summaries.living().exists():
            raise UnknownScene(f"This campaign has no scene {scene_id!r} yet.")
        known = _find_end(campaign, scene)
        if known is not None:
            return EndedScene(known, tuple(known.shares.living().order_by("pk")), created=False)
        return _end(campaign, scene, author)


def end_last_scene(campaign: Campaign, party: Party) -> EndedScene | None:
    """The party's last scene is over, since another one begins; None where it had none, or ended before.

    The caller holds the campaign's lock.
    """
    last = (
        EpisodicSummary.objects.living()
        .filter(tenant_id=campaign.tenant_id, campaign=campaign, party=party)
        .select_related("scene")
        .order_by("-seq")
        .first()
    )
    if last is None or _find_end(campaign, last.scene) is not None:
        return None
    return _end(campaign, last.scene, SERVICE)


def revoke_hearsay(
    *, tenant_id: int, world_id: int, campaign_id: str, hearsay_id: int, reason: str, author: str
) -> list[NpcTold]:
    """What was taken back: the telling, and what was passed on of it; none where it was taken back before.

    The NPC does not know of it any more, unless it was there. It is not passed on again. Locks the campaign. Raises
    UnknownCampaign, UnknownHearsay.
    """
    with transaction.atomic():
        campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id)
        rows = filter_campaign(tenant_id, campaign.pk)
        if not rows.filter(pk=hearsay_id).exists():
            raise UnknownHearsay(f"The campaign {campaign_id!r} has no telling {hearsay_id}.")
        living = NpcTold.objects.living().filter(tenant_id=tenant_id)
        revoked = list(living.filter(pk=hearsay_id))
        passed_on = list(living.filter(via__in=revoked).order_by("pk"))
        while passed_on:
            revoked += passed_on
            passed_on = list(living.filter(via__in=passed_on).order_by("pk"))
        NpcTold.objects.filter(pk__in=[row.pk for row in revoked]).update(
            revoked_at=timezone.now(), revoked_by=author, revoked_reason=reason
        )
        rows = NpcTold.objects.select_related("summary", "event", "shared_at__scene")
        return list(rows.filter(pk__in=[row.pk for row in revoked]).order_by("pk"))


def _find_end(campaign: Campaign, scene: Scene) -> Checkpoint | None:
    """The scene's end on the present line; one that a rollback left does not count."""
    ends = list(Checkpoint.objects.filter(tenant_id=campaign.tenant_id, scene=scene, campaign=campaign).order_by("pk"))
    if not ends:
        return None
    line = read_line(campaign.head_id)
    return next((each for each in ends if each.pk in line), None)


def _end(campaign: Campaign, scene: Scene, author: str) -> EndedScene:
    shares = _find_shares(campaign)
    label = f"End of scene {scene.external_id}"[:MAX_LABEL_LENGTH]
    end = add_checkpoint(campaign, CheckpointKind.SCENE_END, label=label, author=author, scene=scene)
    return EndedScene(end, _store(campaign, end, shares), created=True)


def _find_shares(campaign: Campaign) -> list[Share]:
    """What is told now. One query where no NPC of the world tells others anything."""
    place = {"tenant_id": campaign.tenant_id, "world_id": campaign.world_id}
    edges = [Edge(each.teller, each.relation) for each in list_sharing_relations(**place)]
    if not edges:
        return []
    knowledge = list_fresh_knowledge(campaign, {edge.teller for edge in edges}, list_delays(edges))
    if not knowledge:
        return []
    knowers = find_knowers(campaign.tenant_id, {each.thing for each in knowledge})
    parties = {each.party_id for each in knowledge if each.party_id}
    standing = list_party_dispositions(**place, npc_ids={edge.teller for edge in edges}, party_ids=parties)
    initial = get_scale(**place).initial
    return spread_knowledge(
        knowledge,
        edges,
        knows=lambda npc_id, thing: (npc_id, thing) in knowers,
        disposition=lambda npc_id, party_id: standing.get((npc_id, party_id), initial),
        keeps=_make_keeper(campaign, edges, {each.thing for each in knowledge}),
    )


def _make_keeper(campaign: Campaign, edges: Sequence[Edge], things: Collection[Thing]) -> Callable[[str, Thing], bool]:
    """Whether what is said of a scene gives away a secret of the NPC's own, word for word: that is not passed on."""
    notes = {thing: normalise(text) for thing, text in read_notes(things).items()}
    tellers = {edge.teller for edge in edges} | {edge.relation.npc_id for edge in edges}
    found = list_npc_secrets(tenant_id=campaign.tenant_id, world_id=campaign.world_id, npc_ids=tellers)
    secrets = {npc_id: [normalise(text) for text in texts] for npc_id, texts in found.items()}

    def keeps(npc_id: str, thing: Thing) -> bool:
        return any(secret and secret in notes.get(thing, "") for secret in secrets.get(npc_id, ()))

    return keeps


def _store(campaign: Campaign, end: Checkpoint, shares: Sequence[Share]) -> tuple[NpcTold, ...]:
    """Rows of what was told, in the order of their ids. One statement a hop: each names what its teller was told."""
    now = timezone.now()
    stored: dict[tuple[str, Thing], NpcTold] = {}
    for _, hop in groupby(shares, key=lambda share: share.hop):
        rows = [_make_row(campaign, end, share, stored.get((share.teller, share.thing)), now) for share in hop]
        stored |= {(row.npc_id, name_thing(row)): row for row in NpcTold.objects.bulk_create(rows)}
    for share in shares:
        after_commit(NPC_SHARES.labels(kind="rumour" if share.is_rumour else "all").inc)
    return tuple(stored.values())


def _make_row(campaign: Campaign, end: Checkpoint, share: Share, via: NpcTold | None, now: dt.datetime) -> NpcTold:
    return NpcTold(
        tenant_id=campaign.tenant_id,
        checkpoint=end,
        npc_id=share.listener,
        summary_id=share.thing.pk if share.thing.kind == SUMMARY else None,
        event_id=share.thing.pk if share.thing.kind == EVENT else None,
        source=share.teller,
        told_at=now,
        hop=share.hop,
        is_rumour=share.is_rumour,
        shared_at=end,
        via_id=share.via.told_pk if via is None else via.pk,
    )
