"""What answers made of their packs, and what people think of them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from runtime.errors import InvalidFeedback, UnknownTrace
from runtime.metrics import FEEDBACK, RECIPROCAL_PLACES, RETRIEVAL_HITS, RETRIEVAL_SHOWN
from runtime.models import Trace, TraceFeedback
from runtime.traces.core.places import add_up_places
from runtime.traces.core.traces import count_told, join_items


def give_feedback(
    *,
    tenant_id: int,
    world_id: int,
    trace_id: uuid.UUID,
    used_item_ids: Sequence[str],
    thumb: str,
    note: str,
    given_by: str,
) -> tuple[TraceFeedback, bool]:
    """The trace's newest feedback, and whether it is new: the same again changes nothing, other feedback takes over.

    Locks the trace. A note on a trace that was forgotten is not kept. Raises UnknownTrace, InvalidFeedback.
    """
    with transaction.atomic():
        rows = Trace.objects.filter(tenant_id=tenant_id, world_id=world_id, pk=trace_id).defer("texts")
        trace = rows.select_for_update(no_key=True).first()
        if trace is None:
            raise UnknownTrace(f"There is no trace {trace_id}.")
        told = [each for each in join_items(trace.outline, None) if each.was_told]
        wanted = sorted(set(used_item_ids))
        unknown = sorted(set(wanted) - {each.item.id for each in told})
        if unknown:
            raise InvalidFeedback(f"The model was not told {unknown[0]!r} in this turn.", item_ids=unknown[:20])
        last = TraceFeedback.objects.filter(tenant_id=tenant_id, trace_id=trace_id).order_by("-pk").first()
        kept_note = "" if trace.blanked_at is not None else note
        if last is not None and (last.used_item_ids, last.thumb, last.note) == (wanted, thumb, kept_note):
            return last, False
        used = [each for each in told if each.item.id in wanted]
        feedback = TraceFeedback.objects.create(
            tenant_id=tenant_id,
            trace=trace,
            used_item_ids=wanted,
            thumb=thumb,
            note=kept_note,
            shown=count_told(told),
            used=count_told(used),
            places={layer: sums.to_json() for layer, sums in add_up_places(used).items()},
            given_by=given_by,
        )
        is_first = last is None
        transaction.on_commit(lambda: _count(feedback, is_first=is_first), robust=True)
    return feedback, True


def _count(feedback: TraceFeedback, *, is_first: bool) -> None:
    """Counters only go up, so what an answer used is counted once, as it was told first."""
    FEEDBACK.labels(thumb=feedback.thumb or "none").inc()
    if not is_first:
        return
    for layer, count in feedback.shown.items():
        RETRIEVAL_SHOWN.labels(layer=layer).inc(count)
        RETRIEVAL_HITS.labels(layer=layer).inc(feedback.used.get(layer, 0))
    for layer, sums in feedback.places.items():
        RECIPROCAL_PLACES.labels(layer=layer, order="fused").inc(sums["fused"])
        RECIPROCAL_PLACES.labels(layer=layer, order="told").inc(sums["told"])
