"""Erasure in what happened: summaries, events, flags and tellers name a placeholder, memberships and standing go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet
from django.utils import timezone

from episodes.campaigns.actions.passages import build_passage, queue_summary_embedding
from episodes.campaigns.core.summaries import hash_body, read_summary
from episodes.forgetting.core.erased_names import erase_in_event, erase_in_summary
from episodes.forgetting.selectors.user_mentions import READ_BATCH_SIZE, Row, list_naming
from episodes.models import (
    Checkpoint,
    EpisodicSummary,
    EventFact,
    Flag,
    FlagChange,
    NpcTold,
    PartyMember,
    Rollback,
    SummaryPassage,
)
from memoryproject.forgetting.erased_names import ErasedName
from npcs.dispositions.actions.erasure import erase_standing


@dataclass(frozen=True, slots=True)
class ErasedPlay:
    """What was cleared, by count, and by ids what packs that others were given may have told of it."""

    cleared: dict[str, int]
    summary_ids: tuple[str, ...]
    event_ids: tuple[str, ...]
    flags: tuple[str, ...]
    npc_ids: tuple[str, ...]
    """NPCs whose reasons named the user."""


def erase_in_play(*, tenant_id: int, end_user_id: int, name: ErasedName) -> ErasedPlay:
    """The placeholder in the place of the user in all that the engine told; what was about the user alone goes.

    For the transaction that holds the order to erase; the database refuses it elsewhere. Locks rows of each table in pk
    order; enqueues embeddings of what is found by other words now.
    """
    members = PartyMember.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).delete()[0]
    summaries = _erase_summaries(tenant_id, name)
    retold = [each.summary_id for each, is_retold in summaries if is_retold]
    events = _erase_events(tenant_id, name)
    flags, changes = _erase_flags(tenant_id, name)
    told = NpcTold.objects.filter(tenant_id=tenant_id, source=name.old)
    heard = list(told.values_list("summary__summary_id", "event__event_id"))
    standing = erase_standing(tenant_id=tenant_id, end_user_id=end_user_id, name=name)
    return ErasedPlay(
        cleared={
            "party_members": members,
            "summaries": len(summaries),
            "events": len(events),
            "flags": len(flags),
            "flag_changes": len(changes),
            "told": told.update(source=name.placeholder),
            "told_reasons": _erase_texts(NpcTold.objects.filter(tenant_id=tenant_id), "revoked_reason", name),
            "checkpoints": _erase_texts(Checkpoint.objects.filter(tenant_id=tenant_id), "label", name),
            "rollbacks": _erase_texts(Rollback.objects.filter(tenant_id=tenant_id), "reason", name),
            **standing.cleared,
        },
        summary_ids=tuple(sorted({*retold, *(summary for summary, _ in heard if summary)})),
        event_ids=tuple(sorted({*events, *(event for _, event in heard if event)})),
        flags=tuple(sorted({*flags, *changes})),
        npc_ids=standing.npc_ids,
    )


def _erase_summaries(tenant_id: int, name: ErasedName) -> list[tuple[EpisodicSummary, bool]]:
    """The summaries that named the user, and whether their notes did; searched ones are indexed anew on other words."""
    erased: list[EpisodicSummary] = []
    retold: list[bool] = []
    rows = list_naming(EpisodicSummary.objects.filter(tenant_id=tenant_id), name.old, "body")
    for summary in rows.select_for_update(no_key=True, of=("self",)).order_by("pk").iterator(READ_BATCH_SIZE):
        body = erase_in_summary(summary.body, name)
        if body != summary.body:
            retold.append(body["notes"] != summary.notes)
            summary.body, summary.body_hash, summary.notes = body, hash_body(body), body["notes"]
            erased.append(summary)
    EpisodicSummary.objects.bulk_update(erased, ["body", "body_hash", "notes"], batch_size=READ_BATCH_SIZE)
    _index_anew(erased)
    return list(zip(erased, retold, strict=True))


def _index_anew(summaries: list[EpisodicSummary]) -> None:
    now = timezone.now()
    fresh = {summary.pk: build_passage(summary, read_summary(summary.body, now=now)) for summary in summaries}
    stale = SummaryPassage.objects.filter(summary_id__in=fresh).select_for_update().order_by("pk")
    known = dict(stale.values_list("summary_id", "embedding_hash"))
    changed = [pk for pk, text_hash in known.items() if bytes(text_hash) != fresh[pk].embedding_hash]
    SummaryPassage.objects.filter(summary_id__in=changed).delete()
    SummaryPassage.objects.bulk_create([fresh[pk] for pk in changed], batch_size=READ_BATCH_SIZE)
    for campaign_id in sorted({fresh[pk].campaign_id for pk in changed}):
        queue_summary_embedding(campaign_id)


def _erase_events(tenant_id: int, name: ErasedName) -> list[str]:
    erased: list[EventFact] = []
    rows = list_naming(EventFact.objects.filter(tenant_id=tenant_id), name.old, "body")
    for event in rows.select_for_update(no_key=True, of=("self",)).order_by("pk").iterator(READ_BATCH_SIZE):
        body = erase_in_event(event.body, name)
        if body != event.body:
            event.body, event.body_hash, event.notes = body, hash_body(body), body.get("notes", "")
            erased.append(event)
    EventFact.objects.bulk_update(erased, ["body", "body_hash", "notes"], batch_size=READ_BATCH_SIZE)
    return [event.event_id for event in erased]


def _erase_flags(tenant_id: int, name: ErasedName) -> tuple[list[str], list[str]]:
    """The names of the flags that are set to something that named the user, and of those in whose history it stood."""
    named = list_naming(Flag.objects.filter(tenant_id=tenant_id), name.old, "value")
    flags = list(named.select_for_update(no_key=True).order_by("pk"))
    changes = list_naming(FlagChange.objects.filter(tenant_id=tenant_id), name.old, "old_value", "new_value")
    moves = list(changes.annotate(name=F("flag__name")).select_for_update(no_key=True, of=("self",)).order_by("pk"))
    _erase_columns(flags, ("value",), name)
    _erase_columns(moves, ("old_value", "new_value"), name)
    return [flag.name for flag in flags], [move.name for move in moves]


def _erase_texts(rows: QuerySet[Row], column: str, name: ErasedName) -> int:
    """How many rows named the user in a line of text."""
    changed = []
    naming = rows.filter(**{f"{column}__contains": name.old}).select_for_update(no_key=True).order_by("pk")
    for row in naming:
        text = name.in_line(getattr(row, column))
        if text != getattr(row, column):
            setattr(row, column, text)
            changed.append(row)
    return rows.model._default_manager.bulk_update(changed, [column], batch_size=READ_BATCH_SIZE)  # noqa: SLF001


def _erase_columns(rows: Sequence[Row], columns: tuple[str, ...], name: ErasedName) -> None:
    """Writes rows at most once each, and only what differs: a null that is written would be a JSON null."""
    changed: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        values = {column: name.in_all_lines(getattr(row, column)) for column in columns}
        differing = tuple(column for column in columns if values[column] != getattr(row, column))
        for column in differing:
            setattr(row, column, values[column])
        if differing:
            changed.setdefault(differing, []).append(row)
    for differing, together in changed.items():
        type(together[0])._default_manager.bulk_update(together, differing, batch_size=READ_BATCH_SIZE)  # noqa: SLF001
