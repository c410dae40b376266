"""Reads of traces: lists, one with its words, and how much of what is told gets used."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL
from django.utils import timezone

from episodes.conversations.selectors.sessions import list_deselected, list_forgotten
from episodes.facts.selectors.worlds import find_facts_of_world
from episodes.models import Message
from runtime.errors import UnknownTrace
from runtime.models import Trace, TraceFeedback
from runtime.traces.core.ids import floor_trace_id
from runtime.traces.core.places import RankSums
from runtime.traces.core.traces import TracedItem, join_items
from runtime.traces.sealed_texts import open_texts
from tenancy.models import EndUser

_TELLS_ANY = "EXISTS (SELECT 1 FROM jsonb_array_elements(outline -> 'items') AS item WHERE item ->> 'id' = ANY(%s))"


@dataclass(frozen=True, slots=True)
class TraceFilters:
    """Which traces are wanted; None leaves a filter out."""

    user_id: str | None = None
    session_id: str | None = None
    npc_id: str | None = None
    kind: str | None = None
    degraded: bool | None = None
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    before: uuid.UUID | None = None
    """Only traces before this one: the last of the page before."""


@dataclass(frozen=True, slots=True)
class OpenedTrace:
    """A trace with its words, as far as they are still there."""

    trace: Trace
    query: str | None
    request: dict[str, Any]
    items: tuple[TracedItem, ...]
    contradictions: tuple[tuple[dict[str, Any], ...], ...]
    suspects: tuple[tuple[dict[str, Any], ...], ...]
    """For each check, what was near a statement of canon; empty for turns before this was kept."""
    """Of each canon check."""
    reply: str | None
    """From RAW; None where there was none or it is forgotten."""
    changed_message_ids: tuple[int, ...]
    """Messages of the turn that were edited or swiped since: what it told, nobody would be told now."""
    feedback: TraceFeedback | None
    """The newest."""

    @property
    def has_words(self) -> bool:
        """Whether the words of the turn are still known."""
        return self.trace.texts is not None


@dataclass(frozen=True, slots=True)
class LayerQuality:
    """How many items of a layer were told in rated turns, how many of them the answers used, and where these stood."""

    layer: str
    shown: int
    used: int
    places: RankSums

    @property
    def hit_rate(self) -> float:
        """The share that was used."""
        return self.used / self.shown if self.shown else 0.0


@dataclass(frozen=True, slots=True)
class RetrievalQuality:
    """Feedback of a time, the newest of each trace."""

    rated: int
    thumbs_up: int
    thumbs_down: int
    layers: tuple[LayerQuality, ...]


def tells_any(item_ids: Iterable[str]) -> RawSQL:
    """A filter of traces: those that found one of the items, told or cut."""
    return RawSQL(_TELLS_ANY, [list(item_ids)], BooleanField())  # noqa: S611 - our own SQL


def list_traces(*, tenant_id: int, world_id: int, filters: TraceFilters, limit: int) -> list[Trace]:
    """The newest traces of a world, without their words and items. One query."""
    rows = Trace.objects.filter(tenant_id=tenant_id, world_id=world_id)
    named = {"user_id": filters.user_id, "session_id": filters.session_id, "npc_id": filters.npc_id}
    rows = rows.filter(**{name: value for name, value in named.items() if value is not None})
    if filters.kind is not None:
        rows = rows.filter(kind=filters.kind)
    if filters.degraded is not None:
        rows = rows.exclude(degraded=[]) if filters.degraded else rows.filter(degraded=[])
    if filters.since is not None:
        rows = rows.filter(pk__gte=floor_trace_id(filters.since))
    if filters.until is not None:
        rows = rows.filter(pk__lt=floor_trace_id(filters.until))
    if filters.before is not None:
        rows = rows.filter(pk__lt=filters.before)
    return list(rows.defer("texts", "outline").order_by("-pk")[:limit])


def get_trace(*, tenant_id: int, world_id: int, trace_id: uuid.UUID, is_bound: bool = False) -> OpenedTrace:
    """A trace with its words. Five queries at most. Raises UnknownTrace, FactKeysMissing.

    With `is_bound` the reader reaches this world alone: of a turn that told what other worlds hold, the words are
    kept back (three queries more).
    """
    trace = Trace.objects.filter(tenant_id=tenant_id, world_id=world_id, pk=trace_id).first()
    if trace is None:
        raise UnknownTrace(f"There is no trace {trace_id}.")
    if is_bound and trace.texts is not None and _tells_of_other_worlds(trace):
        trace.texts, trace.texts_lack = None, "other_worlds"
    return open_trace(trace)


def _tells_of_other_worlds(trace: Trace) -> bool:
    messages = Message.objects.filter(pk__in=trace.message_ids).exclude(conversation__world_id=trace.world_id)
    if messages.exists():
        return True
    told = {each["id"] for each in trace.outline["items"]}
    fact_ids = {int(each.removeprefix("fact:")) for each in told if each.startswith("fact:")}
    owner_filter = {"tenant_id": trace.tenant_id}
    user = EndUser.objects.filter(**owner_filter, external_id=trace.user_id).first() if fact_ids else None
    if user is None:
        return bool(fact_ids)
    return bool(fact_ids - find_facts_of_world(**owner_filter, end_user_id=user.pk, world_id=trace.world_id).fact_ids)


def open_trace(trace: Trace) -> OpenedTrace:
    """The trace with its words, unless one of its messages is gone by now. Four queries at most.

    Raises FactKeysMissing.
    """
    texts = None
    if trace.texts is not None and list_forgotten(tenant_id=trace.tenant_id, message_ids=trace.message_ids):
        # An order to forget or erase that batches have not worked off blanks the trace when it comes to the message.
        trace.texts, trace.blanked_at = None, timezone.now()
    if trace.texts is not None:
        texts = open_texts(bytes(trace.texts), tenant_id=trace.tenant_id, trace_id=trace.pk)
    words = texts["request"] if texts else {}
    return OpenedTrace(
        trace=trace,
        query=words.get("query"),
        request={**trace.outline["request"], **words},
        items=join_items(trace.outline, texts),
        contradictions=tuple(tuple(each) for each in texts["contradictions"]) if texts else (),
        suspects=tuple(tuple(each) for each in texts.get("suspects", ())) if texts else (),
        reply=_find_reply(trace),
        changed_message_ids=tuple(list_deselected(tenant_id=trace.tenant_id, message_ids=trace.message_ids)),
        feedback=TraceFeedback.objects.filter(tenant_id=trace.tenant_id, trace_id=trace.pk).order_by("-pk").first(),
    )


def measure_retrieval(*, tenant_id: int, world_id: int, since: dt.datetime, until: dt.datetime) -> RetrievalQuality:
    """How much of what was told got used, in feedback of that time. One query."""
    rows = TraceFeedback.objects.filter(
        tenant_id=tenant_id, trace__world_id=world_id, created_at__gte=since, created_at__lt=until
    )
    newest = rows.order_by("trace_id", "-pk").distinct("trace_id").values_list("thumb", "shown", "used", "places")
    return add_up(newest)


def add_up(
    feedback: Iterable[tuple[str, dict[str, int], dict[str, int], dict[str, dict[str, Any]]]],
) -> RetrievalQuality:
    """The sums over feedback: thumb; shown, used and places by layer."""
    thumbs: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    used: Counter[str] = Counter()
    places: dict[str, RankSums] = {}
    for thumb, told, hit, stood in feedback:
        thumbs[thumb] += 1
        shown.update(told)
        used.update(hit)
        for layer, sums in stood.items():
            places[layer] = places.get(layer, RankSums()).add(sums)
    layers = tuple(
        LayerQuality(layer, count, used[layer], places.get(layer, RankSums())) for layer, count in sorted(shown.items())
    )
    return RetrievalQuality(thumbs.total(), thumbs["up"], thumbs["down"], layers)


def _find_reply(trace: Trace) -> str | None:
    if trace.reply_message_id is None or trace.blanked_at is not None:
        return None
    rows = Message.objects.living().filter(tenant_id=trace.tenant_id, pk=trace.reply_message_id)
    return rows.values_list("content", flat=True).first()
