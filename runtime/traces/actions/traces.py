"""Writes of traces: recording a turn, forgetting its words, and letting old ones go."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from episodes.conversations.selectors.sessions import list_forgotten
from episodes.forgetting.actions.cascade import MAX_CACHED_QUERY_LENGTH
from episodes.models import Message
from knowledge.errors import FactKeysMissing
from knowledge.facts.models import UserFact
from knowledge.facts.selectors import list_erased
from knowledge.search.query_embedding import hash_query
from memoryproject.forgetting.registry import DeletedFacts, ErasedUser, Forgotten, Gone, Withdrawal
from runtime.metrics import CONTEXT_TOKENS, CONTRADICTIONS, REPLY_CHECKS, SUSPECT_CLAIMS, TURN_COST
from runtime.models import Trace, TraceFeedback
from runtime.traces.core.ids import floor_trace_id, make_trace_id
from runtime.traces.core.traces import Lack, Recorded, TraceDraft, drop_cut_texts, split_draft
from runtime.traces.sealed_texts import seal_texts
from runtime.traces.selectors.traces import tells_any
from tenancy.models import EndUser

T = TypeVar("T")
log = structlog.get_logger("memory37.traces")

MAX_TEXTS_BYTES = 262_144
QUERY_BATCH_SIZE = 1000
DELETE_BATCH_SIZE = 1000
MAX_DELETED_PER_RUN = 100_000
TOO_LONG_TO_HASH = "long"
"""Stands for the hash of words that are not in RAW and too long to be held against what is forgotten there: they go
with whatever the player has forgotten next."""


def record_trace(draft: TraceDraft) -> str | None:
    """The id of the recorded turn; None where traces are switched off, or the player was erased meanwhile.

    Call it outside transactions.

    Words that are forgotten while the turn goes on are not kept: the trace is blanked when one of its messages is by
    now forgotten, or one of its facts deleted, and forgetting blanks those that were there before.
    """
    _count(draft)
    if not settings.TRACES_ENABLED:
        return None
    trace_id = make_trace_id(timezone.now())
    recorded = split_draft(draft)
    sealed, lack = _seal(recorded, tenant_id=draft.tenant_id, trace_id=trace_id)
    Trace.objects.create(**_columns(draft), id=trace_id, outline=recorded.outline, texts=sealed, texts_lack=lack)
    if _has_gone(draft):
        _blank([trace_id])
        if _is_erased(draft):
            _delete([trace_id])
            return None
    return str(trace_id)


def forget_in_traces(forgotten: Forgotten) -> int:
    """How many traces lost their words because they name a forgotten message, or hold the same words beside RAW.

    Whose turn it was does not matter to the messages: the talk of a session stands in packs for whoever asks in it. The
    same words go where they are the player's, or nobody's that the game named.
    """
    user_id = EndUser.objects.values_list("external_id", flat=True).get(
        tenant_id=forgotten.tenant_id, pk=forgotten.end_user_id
    )
    rows = Trace.objects.filter(tenant_id=forgotten.tenant_id, blanked_at__isnull=True).values_list("pk", flat=True)
    own = rows if forgotten.world_id is None else rows.filter(world_id=forgotten.world_id)
    found = set(own.filter(user_id=user_id)) if forgotten.is_everything else set()
    for ids in _split(forgotten.message_ids):
        found |= set(rows.filter(message_ids__overlap=ids))
    hashes = (*forgotten.text_hashes, TOO_LONG_TO_HASH) if forgotten.message_ids else ()
    for some in _split(hashes):
        found |= set(own.filter(query_hash__in=some, user_id__in=("", user_id)))
    return _blank(found)


def count_resting_traces(withdrawal: Withdrawal) -> int:
    """How many traces name the deselected message: they stay as what was told then, and are shown as resting on it."""
    rows = Trace.objects.filter(tenant_id=withdrawal.tenant_id, blanked_at__isnull=True)
    return rows.filter(message_ids__contains=[withdrawal.deselected_id]).count()


def erase_in_traces(erased: ErasedUser) -> int:
    """How many traces of the user are gone, and of others lost their words because these named the user.

    Locks them in pk order.
    """
    rows = Trace.objects.filter(tenant_id=erased.tenant_id)
    with transaction.atomic():
        own = rows.filter(user_id=erased.name.old).select_for_update().order_by("pk")
        gone = _delete(list(own.values_list("pk", flat=True)))
        telling = [f"summary:{each}" for each in erased.summary_ids] + [f"flag:{each}" for each in erased.flags]
        telling += [f"event:{each}" for each in erased.event_ids]
        telling += [f"npc:{each}:standing" for each in erased.npc_ids]
        if not telling:
            return gone
        return gone + _blank(rows.filter(tells_any(telling), blanked_at__isnull=True).values_list("pk", flat=True))


def blank_own_traces(gone: Gone) -> int:
    """How many traces of the user's own turns lost their words, in one world or in all."""
    user_id = EndUser.objects.values_list("external_id", flat=True).get(tenant_id=gone.tenant_id, pk=gone.end_user_id)
    rows = Trace.objects.filter(tenant_id=gone.tenant_id, user_id=user_id, blanked_at__isnull=True)
    own = rows if gone.world_id is None else rows.filter(world_id=gone.world_id)
    return _blank(own.values_list("pk", flat=True))


def forget_facts_in_traces(deleted: DeletedFacts) -> int:
    """How many traces lost their words because they tell one of the facts."""
    user_id = EndUser.objects.values_list("external_id", flat=True).get(
        tenant_id=deleted.tenant_id, pk=deleted.end_user_id
    )
    rows = Trace.objects.filter(tenant_id=deleted.tenant_id, user_id=user_id, blanked_at__isnull=True)
    item_ids = [f"fact:{fact_id}" for fact_id in deleted.fact_ids]
    return _blank(rows.filter(tells_any(item_ids)).values_list("pk", flat=True))


def delete_old_traces(*, now: dt.datetime | None = None) -> int:
    """How many traces went because `TRACE_TTL_DAYS` are over; in batches, each its own transaction."""
    before = floor_trace_id((now or timezone.now()) - dt.timedelta(days=settings.TRACE_TTL_DAYS))
    deleted = 0
    while deleted < MAX_DELETED_PER_RUN:
        with transaction.atomic():
            old = Trace.objects.filter(pk__lt=before).order_by("pk")
            ids = list(old.select_for_update(skip_locked=True).values_list("pk", flat=True)[:DELETE_BATCH_SIZE])
            _delete(ids)
        deleted += len(ids)
        if len(ids) < DELETE_BATCH_SIZE:
            break
    return deleted


def _split(values: Sequence[T]) -> Iterator[list[T]]:
    """The values in the lots in which they are asked for."""
    for start in range(0, len(values), QUERY_BATCH_SIZE):
        yield list(values[start : start + QUERY_BATCH_SIZE])


def _delete(trace_ids: Sequence[uuid.UUID]) -> int:
    """How many traces are gone, each with its feedback."""
    for some in _split(trace_ids):
        TraceFeedback.objects.filter(trace_id__in=some).delete()
        Trace.objects.filter(pk__in=some).delete()
    return len(trace_ids)


def _has_gone(draft: TraceDraft) -> bool:
    """Whether something that the turn tells is forgotten or deleted by now. Two queries at most."""
    if draft.message_ids and list_forgotten(tenant_id=draft.tenant_id, message_ids=draft.message_ids):
        return True
    return bool(draft.fact_ids and list_erased(tenant_id=draft.tenant_id, fact_ids=draft.fact_ids))


def _is_erased(draft: TraceDraft) -> bool:
    """Whether a user is erased of whom the turn tells."""
    messages = Message.objects.filter(tenant_id=draft.tenant_id, pk__in=draft.message_ids)
    facts = UserFact.objects.filter(tenant_id=draft.tenant_id, pk__in=draft.fact_ids)
    return (
        messages.filter(conversation__end_user__erased_in__isnull=False).exists()
        or facts.filter(end_user__erased_in__isnull=False).exists()
    )


def _blank(trace_ids: Iterable[uuid.UUID]) -> int:
    """How many traces lost their words now. Locks them in pk order."""
    blanked = 0
    for ids in _split(sorted(trace_ids)):
        with transaction.atomic():
            rows = Trace.objects.filter(pk__in=ids, blanked_at__isnull=True)
            locked = list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
            TraceFeedback.objects.filter(trace_id__in=locked).exclude(note="").update(note="")
            blanked += Trace.objects.filter(pk__in=locked).update(texts=None, query_hash="", blanked_at=timezone.now())
    return blanked


def _seal(recorded: Recorded, *, tenant_id: int, trace_id: uuid.UUID) -> tuple[bytes | None, Lack]:
    """The sealed words, and what of them could not be kept."""
    lacks: tuple[tuple[Recorded, Lack], ...] = ((recorded, ""), (drop_cut_texts(recorded), "cut_items"))
    try:
        for kept, lack in lacks:
            sealed = seal_texts(kept.texts, tenant_id=tenant_id, trace_id=trace_id)
            if len(sealed) <= MAX_TEXTS_BYTES:
                return sealed, lack
    except FactKeysMissing:
        return None, "keys_missing"
    log.warning("trace_too_large", trace_id=str(trace_id))
    return None, "too_large"


def _columns(draft: TraceDraft) -> dict[str, object]:
    calls = draft.model_calls
    prompt = [call.prompt_tokens for call in calls if call.prompt_tokens is not None]
    completion = [call.completion_tokens for call in calls if call.completion_tokens is not None]
    return {
        "tenant_id": draft.tenant_id,
        "world_id": draft.world_id,
        "kind": draft.kind,
        "user_id": draft.user_id or "",
        "session_id": draft.session_id or "",
        "npc_id": draft.npc_id or "",
        "party_id": draft.party_id or "",
        "scene_id": draft.scene_id or "",
        "message_id": draft.message_id,
        "reply_message_id": draft.reply_message_id,
        "message_ids": list(draft.message_ids),
        "query_hash": _hash_words(draft),
        "prompt_version": draft.request["prompt_version"],
        "prompt_source": draft.request["prompt_source"],
        "persona_version": draft.request.get("persona_version"),
        "releases": dict(draft.releases),
        "embedder": draft.embedder,
        "tokens": draft.tokens,
        "token_limit": draft.limit,
        "tokens_by_layer": dict(draft.tokens_by_layer),
        "steps_ms": {name: round(value, 3) for name, value in draft.steps_ms.items()},
        "prompt_tokens": sum(prompt) if prompt else None,
        "completion_tokens": sum(completion) if completion else None,
        "cost": draft.cost,
        "contradictions": len(draft.checks[-1].contradictions) if draft.checks else 0,
        "degraded": list(draft.degraded),
    }


def _hash_words(draft: TraceDraft) -> str:
    """The hash of a player's words: they may not be in RAW, or not where they are said to be."""
    query = str(draft.request.get("query") or "")
    if not query:
        return ""
    if len(query) <= MAX_CACHED_QUERY_LENGTH:
        return hash_query(query)
    return "" if draft.message_id is not None else TOO_LONG_TO_HASH


def _count(draft: TraceDraft) -> None:
    CONTEXT_TOKENS.observe(draft.tokens)
    if draft.cost:
        TURN_COST.inc(draft.cost)
    for check in draft.checks[-1:]:
        REPLY_CHECKS.labels(check.checked_by).inc()
        for each in check.contradictions:
            CONTRADICTIONS.labels(each["found_by"]).inc()
        for each in check.suspects:
            SUSPECT_CLAIMS.labels(each["found_by"]).inc()
