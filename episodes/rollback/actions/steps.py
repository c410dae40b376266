"""The steps of a rollback in the tables of play: each undoes and restores the rows of one kind.

They lock rows in the order in which erasure locks them: members, summaries, events, flags, tellings, pictures, ledger.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Q
from django.utils import timezone

from episodes.art.actions.passages import build_passage as build_art_passage
from episodes.art.actions.passages import queue_art_embedding
from episodes.campaigns.actions.graph import link_summaries, unlink_summaries
from episodes.campaigns.actions.passages import build_passage, queue_summary_embedding
from episodes.campaigns.core.summaries import read_summary
from episodes.models import (
    ArtCard,
    ArtCardPassage,
    EpisodicSummary,
    EventFact,
    Flag,
    FlagChange,
    NpcTold,
    PartyMember,
    Scene,
    SummaryPassage,
)
from episodes.npc_memory.actions import restore_replaced, revoke_replaced
from episodes.rollback.core import PlayShift, Ref, StepChanges
from episodes.rollback.models import PlayQuerySet, PlayRow
from knowledge.graph.actions.events import MAX_SOURCES
from npcs.dispositions.actions.rollback import roll_back_dispositions

Row = TypeVar("Row", bound=PlayRow)
UPDATE_BATCH_SIZE = 1000


def shift_members(shift: PlayShift) -> StepChanges:
    """Who was first seen in the party since then is no member of it."""
    rows = PartyMember.objects.filter(tenant_id=shift.tenant_id, party__campaign_id=shift.campaign_pk)
    undone, restored = _mark(rows.select_related("party", "end_user"), shift)

    def name(row: PartyMember) -> Ref:
        return {"party_id": row.party.external_id, "user_id": row.end_user.external_id}

    return StepChanges(_name_all(undone, name), _name_all(restored, name))


def shift_summaries(shift: PlayShift) -> StepChanges:
    """Summaries leave the index, or come back to it; scenes are where their latest summary that holds says."""
    rows = EpisodicSummary.objects.filter(tenant_id=shift.tenant_id, campaign_id=shift.campaign_pk)
    undone, restored = _mark(rows.select_related("scene", "party"), shift, prepare=_leave_index)
    _index_again(shift, restored)
    _move_graph(shift, undone, restored)
    _move_scenes({row.scene_id for row in (*undone, *restored)})

    def name(row: EpisodicSummary) -> Ref:
        return {
            "summary_id": row.summary_id,
            "party_id": row.party.external_id,
            "scene_id": row.scene.external_id,
            "seq": row.seq,
        }

    return StepChanges(_name_all(undone, name), _name_all(restored, name))


def shift_events(shift: PlayShift) -> StepChanges:
    """Events between scenes."""
    rows = EventFact.objects.filter(tenant_id=shift.tenant_id, campaign_id=shift.campaign_pk)
    undone, restored = _mark(rows.select_related("party"), shift)

    def name(row: EventFact) -> Ref:
        return {"event_id": row.event_id, "kind": row.kind, "seq": row.seq}

    return StepChanges(_name_all(undone, name), _name_all(restored, name))


def shift_flags(shift: PlayShift) -> StepChanges:
    """Flags have the value of the last change that holds; without one they are not set."""
    changes = FlagChange.objects.filter(tenant_id=shift.tenant_id, flag__campaign_id=shift.campaign_pk)
    belonging = changes.filter(checkpoint_id__in=shift.undone | shift.restored)
    rows = Flag.objects.filter(tenant_id=shift.tenant_id, pk__in=belonging.values("flag_id"))
    flags = list(rows.select_for_update(no_key=True, of=("self",)).select_related("party").order_by("pk"))
    _mark(changes.select_related("flag"), shift)
    last = {
        change.flag_id: change
        for change in FlagChange.objects.living()
        .filter(tenant_id=shift.tenant_id, flag__in=flags)
        .order_by("flag", "-happened_at", "-pk")
        .distinct("flag")
    }
    moved: list[Flag] = []
    told: list[Ref] = []
    for flag in flags:
        before = flag.value if flag.is_set else None
        change = last.get(flag.pk)
        if change is not None:
            flag.value, flag.set_at = change.new_value, change.happened_at
        flag.is_set = change is not None
        moved.append(flag)
        after = flag.value if flag.is_set else None
        if json.dumps(before) != json.dumps(after):
            party_id = None if flag.party is None else flag.party.external_id
            told.append({"name": flag.name, "party_id": party_id, "from": before, "to": after})
    Flag.objects.bulk_update(moved, ["value", "set_at", "is_set"], batch_size=UPDATE_BATCH_SIZE)
    return StepChanges(changed=tuple(sorted(told, key=lambda each: (each["name"], each["party_id"] or ""))))


def shift_hearsay(shift: PlayShift) -> StepChanges:
    """What NPCs were told, by the engine or by each other; a rumour holds while nothing that holds took its place."""
    of_campaign = Q(summary__campaign_id=shift.campaign_pk) | Q(event__campaign_id=shift.campaign_pk)
    rows = NpcTold.objects.filter(of_campaign, tenant_id=shift.tenant_id).select_related("summary", "event")
    replaced: list[int] = []

    def prepare(_: list[NpcTold], restored: list[NpcTold]) -> None:
        replaced.extend(revoke_replaced(row.replaces_id for row in restored if row.replaces_id and not row.revoked_at))

    undone, restored = _mark(rows, shift, prepare=prepare)
    back = restore_replaced([row.replaces_id for row in undone if row.replaces_id and not row.revoked_at])
    both = set(replaced) & set(back)
    undone += rows.filter(pk__in=set(replaced) - both).order_by("pk")
    restored += rows.filter(pk__in=set(back) - both).exclude(pk__in=[row.pk for row in restored]).order_by("pk")

    def name(row: NpcTold) -> Ref:
        return {
            "npc_id": row.npc_id,
            "source": row.source,
            "summary_id": None if row.summary is None else row.summary.summary_id,
            "event_id": None if row.event is None else row.event.event_id,
        }

    return StepChanges(_name_all(undone, name), _name_all(restored, name))


def shift_art_cards(shift: PlayShift) -> StepChanges:
    """Pictures that were kept for the campaign; those of no campaign stay."""
    rows = ArtCard.objects.filter(tenant_id=shift.tenant_id, world_id=shift.world_id, campaign_id=shift.campaign_id)
    undone, restored = _mark(rows, shift)
    ArtCardPassage.objects.filter(card__in=[row.pk for row in undone]).delete()
    if restored:
        ArtCardPassage.objects.bulk_create([build_art_passage(row) for row in restored])
        queue_art_embedding(shift.world_id)

    def name(row: ArtCard) -> Ref:
        return {"image_id": row.image_id, "scene_id": row.scene_id}

    return StepChanges(_name_all(undone, name), _name_all(restored, name))


def shift_dispositions(shift: PlayShift) -> StepChanges:
    """Moves of the ledger are taken back or made again, by further moves."""
    rolled = roll_back_dispositions(
        tenant_id=shift.tenant_id,
        world_id=shift.world_id,
        campaign_id=shift.campaign_id,
        undone=shift.undone,
        restored=shift.restored,
        rollback_id=shift.rollback_pk,
        reason=shift.reason,
        author=shift.author,
    )

    def name(row: Any) -> Ref:
        towards = "party" if row.towards_kind == "party" else row.towards_id
        return {"npc_id": row.npc_id, "towards": towards, "party_id": row.towards_id if towards == "party" else None}

    return StepChanges(
        tuple({**name(each), "entry_id": each.entry_id, "applied": each.applied} for each in rolled.undone),
        tuple({**name(each), "entry_id": each.entry_id, "applied": each.applied} for each in rolled.restored),
        tuple({**name(each), "from": each.before, "to": each.after} for each in rolled.changed),
    )


def _mark(
    rows: PlayQuerySet, shift: PlayShift, *, prepare: Callable[[list[Any], list[Any]], None] | None = None
) -> tuple[list[Any], list[Any]]:
    """The rows that no longer hold, marked so, and those that hold again, unmarked; by the order of their ids.

    What is undone goes first: of one id only one row may hold. `prepare` is given both before they are marked.
    """
    mine = rows.order_by("pk").select_for_update(no_key=True, of=("self",))
    undone = list(mine.filter(checkpoint_id__in=shift.undone, undone_by__isnull=True)) if shift.undone else []
    restored = list(mine.filter(checkpoint_id__in=shift.restored, undone_by__isnull=False)) if shift.restored else []
    if prepare is not None:
        prepare(undone, restored)
    table = rows.model._default_manager  # noqa: SLF001 - the model's own rows
    table.filter(pk__in=[row.pk for row in undone]).update(undone_by_id=shift.rollback_pk)
    table.filter(pk__in=[row.pk for row in restored]).update(undone_by=None)
    for row in undone:
        row.undone_by_id = shift.rollback_pk
    for row in restored:
        row.undone_by_id = None
    return undone, restored


def _leave_index(undone: Iterable[EpisodicSummary], _: object) -> None:
    SummaryPassage.objects.filter(summary__in=[row.pk for row in undone]).delete()


def _move_graph(shift: PlayShift, undone: Iterable[EpisodicSummary], restored: Iterable[EpisodicSummary]) -> None:
    """What undone summaries say in the graph stands no more; what restored ones say does again."""
    now = timezone.now()
    unlink_summaries(tenant_id=shift.tenant_id, campaign_pk=shift.campaign_pk, rows=undone)
    rows = [(row, read_summary(row.body, now=now)) for row in restored]
    for start in range(0, len(rows), MAX_SOURCES):
        link_summaries(shift.campaign_pk, rows[start : start + MAX_SOURCES])


def _index_again(shift: PlayShift, summaries: Iterable[EpisodicSummary]) -> None:
    now = timezone.now()
    found = [row for row in summaries if row.expired_at is None]
    if found:
        passages = [build_passage(row, read_summary(row.body, now=now)) for row in found]
        SummaryPassage.objects.bulk_create(passages, batch_size=UPDATE_BATCH_SIZE)
        queue_summary_embedding(shift.campaign_pk)


def _move_scenes(scene_ids: Iterable[int]) -> None:
    wanted = sorted(set(scene_ids))
    last = (
        EpisodicSummary.objects.living()
        .filter(scene__in=wanted)
        .order_by("scene", "-happened_at", "-seq")
        .distinct("scene")
        .values_list("scene_id", "location_id")
    )
    places = dict(last)
    scenes = [row for row in Scene.objects.filter(pk__in=places) if row.location_id != places[row.pk]]
    for scene in scenes:
        scene.location_id = places[scene.pk]
    Scene.objects.bulk_update(scenes, ["location_id"], batch_size=UPDATE_BATCH_SIZE)


def _name_all(rows: Iterable[Row], name: Callable[[Any], Ref]) -> tuple[Ref, ...]:
    return tuple(name(row) for row in rows)
