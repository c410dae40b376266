"""NPCs that learn of what they did not see."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from episodes.errors import UnknownEvent, UnknownSummary
from episodes.models import Campaign, EpisodicSummary, EventFact, NpcTold
from tenancy.actions.end_users import lock_known_users

ENGINE = "the engine"
TOLD_IN_FULL = "told in full"


@dataclass(frozen=True, slots=True)
class ToldNpc:
    """That an NPC knows of something by hearsay, and whether this call told it."""

    told: NpcTold
    created: bool


def record_hearsay(
    *,
    tenant_id: int,
    world_id: int,
    npc_id: str,
    source: str,
    told_at: dt.datetime,
    summary_id: str | None = None,
    event_id: str | None = None,
) -> ToldNpc:
    """The NPC knows of the summary, or else of the event, from now on. Told twice, the first teller stands.

    Locks the campaign, and the teller, where that is a user, against erasure. Raises UnknownSummary, UnknownEvent.
    """
    with transaction.atomic():
        about = (
            _find_event(tenant_id, world_id, event_id or "")
            if summary_id is None
            else _find_summary(tenant_id, world_id, summary_id)
        )
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=about.campaign_id)
        about.refresh_from_db(fields=["undone_by"])
        if about.undone_by_id is not None:  # by a rollback that this call waited for
            raise _make_unknown(summary_id, event_id)
        lock_known_users(tenant_id=tenant_id, external_ids=[source])
        told = NpcTold(
            tenant_id=tenant_id,
            npc_id=npc_id,
            summary=about if isinstance(about, EpisodicSummary) else None,
            event=about if isinstance(about, EventFact) else None,
            source=source,
            told_at=told_at,
            checkpoint_id=campaign.head_id,
        )
        replace_rumours([told])
        same = {name: getattr(told, name) for name in ("tenant_id", "npc_id", "summary", "event")}
        known = NpcTold.objects.living().filter(**same).first()
        if known is not None:
            return ToldNpc(known, created=False)
        told.save(force_insert=True)
    return ToldNpc(told, created=True)


def replace_rumours(tellings: Sequence[NpcTold]) -> None:
    """What the engine is about to tell takes the place of rumours of the same, which are revoked. One query where
    there are none, else three.

    The caller holds the campaign's lock.
    """
    if not tellings:
        return
    summaries, events = {each.summary_id for each in tellings}, {each.event_id for each in tellings}
    rumours = NpcTold.objects.living().filter(
        Q(summary__in=summaries - {None}) | Q(event__in=events - {None}),
        tenant_id=tellings[0].tenant_id,
        npc_id__in={each.npc_id for each in tellings},
        is_rumour=True,
    )
    wanted = {_name_thing(each) for each in tellings}
    found = {_name_thing(row): row for row in rumours if _name_thing(row) in wanted}
    if not found:
        return
    for each in tellings:
        each.replaces = found.get(_name_thing(each))
    revoke_replaced(row.pk for row in found.values())


def revoke_replaced(rumour_ids: Iterable[int]) -> list[int]:
    """Which of the rumours held and hold no more, for they were told in full. Two queries."""
    rows = NpcTold.objects.living().filter(pk__in=list(rumour_ids), is_rumour=True)
    ids = list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    NpcTold.objects.filter(pk__in=ids).update(revoked_at=timezone.now(), revoked_by=ENGINE, revoked_reason=TOLD_IN_FULL)
    return ids


def restore_replaced(rumour_ids: Collection[int]) -> list[int]:
    """Which of the rumours hold again, now that what took their place does not; never one that a person took back.

    Two queries.
    """
    same = {name: OuterRef(name) for name in ("tenant_id", "npc_id")}  # what an NPC was told is found by these
    by_living = NpcTold.objects.living().filter(**same, replaces=OuterRef("pk"))
    rows = NpcTold.objects.filter(
        ~Exists(by_living), pk__in=rumour_ids, revoked_by=ENGINE, undone_by__isnull=True
    ).order_by("pk")
    ids = list(rows.values_list("pk", flat=True))
    NpcTold.objects.filter(pk__in=ids).update(revoked_at=None, revoked_by="", revoked_reason="")
    return ids


def _name_thing(told: NpcTold) -> tuple[str, int | None, int | None]:
    return told.npc_id, told.summary_id, told.event_id


def _find_summary(tenant_id: int, world_id: int, summary_id: str) -> EpisodicSummary:
    found: EpisodicSummary | None = (
        EpisodicSummary.objects.living().filter(tenant_id=tenant_id, world_id=world_id, summary_id=summary_id).first()
    )
    if found is None:
        raise _make_unknown(summary_id, None)
    return found


def _find_event(tenant_id: int, world_id: int, event_id: str) -> EventFact:
    found: EventFact | None = (
        EventFact.objects.living().filter(tenant_id=tenant_id, world_id=world_id, event_id=event_id).first()
    )
    if found is None:
        raise _make_unknown(None, event_id)
    return found


def _make_unknown(summary_id: str | None, event_id: str | None) -> UnknownSummary | UnknownEvent:
    if summary_id is not None:
        return UnknownSummary(f"There is no summary {summary_id!r}.")
    return UnknownEvent(f"There is no event {event_id!r}.")
