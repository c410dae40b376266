"""Which NPCs a world knows, and what of play each of them knows."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from episodes.campaigns.core.summaries import FlagValue
from episodes.models import EpisodicSummary, EventFact, FlagChange, NpcPresence, NpcTold, Party
from knowledge.canon.models import Publication
from knowledge.canon.selectors.audience import LORE
from npcs.errors import UnknownNpc
from npcs.models import Npc
from tenancy.models import World


def check_npc(*, tenant_id: int, world_id: int, npc_id: str) -> None:
    """That the world knows the NPC: by a row of its own, a scene, something told, or an article of lore. One query.

    Raises UnknownNpc.
    """
    owner_filter = {"tenant_id": tenant_id, "npc_id": npc_id}
    is_known = (
        Exists(Npc.objects.filter(**owner_filter, world_id=world_id))
        | Exists(
            NpcPresence.objects.filter(**owner_filter, summary__world_id=world_id, summary__undone_by__isnull=True)
        )
        | Exists(
            NpcTold.objects.living().filter(Q(summary__world_id=world_id) | Q(event__world_id=world_id), **owner_filter)
        )
        | Exists(
            Publication.objects.filter(
                tenant_id=tenant_id,
                domain_index__world_id=world_id,
                domain_index__domain=LORE,
                slug=npc_id,
            )
        )
    )
    if not World.objects.filter(is_known, pk=world_id, tenant_id=tenant_id).exists():
        raise UnknownNpc(f"There is no NPC {npc_id!r}.", npc_id=npc_id)


def filter_known_by_npc(rows: QuerySet[EpisodicSummary], *, tenant_id: int, npc_id: str) -> QuerySet[EpisodicSummary]:
    """Those of the summaries that the NPC saw or was told of."""
    owner_filter = {"tenant_id": tenant_id, "npc_id": npc_id}
    saw = NpcPresence.objects.filter(**owner_filter).values("summary_id")
    heard = NpcTold.objects.living().filter(**owner_filter, summary__isnull=False).values("summary_id")
    return rows.filter(Q(pk__in=saw) | Q(pk__in=heard))


def filter_told_to_npc(rows: QuerySet[EventFact], *, tenant_id: int, npc_id: str) -> QuerySet[EventFact]:
    """Those of the events between scenes that the NPC was told of."""
    told = NpcTold.objects.living().filter(tenant_id=tenant_id, npc_id=npc_id, event__isnull=False)
    return rows.filter(pk__in=told.values("event_id"))


def was_present(*, tenant_id: int, npc_id: str) -> Exists:
    """Of a summary: whether the NPC was there."""
    return Exists(NpcPresence.objects.filter(tenant_id=tenant_id, npc_id=npc_id, summary_id=OuterRef("pk")))


def read_known_flags(party: Party, *, npc_id: str, limit: int) -> dict[str, FlagValue]:
    """Each flag as the last scene or event set it of which the NPC knows, not by rumour alone.

    The one set last first, `limit` at most. A flag of the party hides the campaign's of the same name. One query.
    """
    owner_filter = {"tenant_id": party.tenant_id, "npc_id": npc_id}
    saw = NpcPresence.objects.filter(**owner_filter).values("summary_id")
    told = NpcTold.objects.living().filter(**owner_filter)
    told = told.filter(is_rumour=False)
    heard = told.filter(summary__isnull=False).values("summary_id")
    heard_events = told.filter(event__isnull=False).values("event_id")
    changes = (
        FlagChange.objects.living()
        .filter(tenant_id=party.tenant_id, flag__campaign_id=party.campaign_id, is_late=False)
        .filter(Q(flag__party=party) | Q(flag__party__isnull=True))
        .filter(Q(summary__in=saw) | Q(summary__in=heard) | Q(event__in=heard_events))
        .order_by("flag__name", F("flag__party").asc(nulls_last=True), "-happened_at", "-pk")
        .distinct("flag__name")
    )
    newest = FlagChange.objects.filter(pk__in=changes.values("pk")).order_by("-happened_at", "flag__name")
    return dict(newest.values_list("flag__name", "new_value")[:limit])
