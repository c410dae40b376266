"""What the engine told of play that names a user."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeVar

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from episodes.forgetting.core.erased_names import erase_in_event, erase_in_summary
from episodes.models import EpisodicSummary, EventFact, NpcTold
from memoryproject.forgetting.erased_names import ErasedName

READ_BATCH_SIZE = 500
Row = TypeVar("Row", bound=Model)


def list_naming(rows: QuerySet[Row], old: str, *columns: str) -> QuerySet[Row]:
    """Rows one of whose JSON columns holds the id somewhere in its text: a look through all of them."""
    escaped = json.dumps(old, ensure_ascii=False)[1:-1]
    naming = Q()
    for column in columns:
        rows = rows.alias(**{f"{column}_text": Cast(column, TextField())})
        naming |= Q(**{f"{column}_text__contains": escaped})
    return rows.filter(naming)


def count_naming(*, tenant_id: int, external_id: str) -> dict[str, int]:
    """How many summaries, events and tellings name the user. Three queries."""
    name = ErasedName(external_id, "[user]")
    summaries = list_naming(EpisodicSummary.objects.filter(tenant_id=tenant_id), external_id, "body")
    events = list_naming(EventFact.objects.filter(tenant_id=tenant_id), external_id, "body")
    return {
        "summaries": sum(erase_in_summary(body, name) != body for body in _read(summaries)),
        "events": sum(erase_in_event(body, name) != body for body in _read(events)),
        "told": NpcTold.objects.filter(tenant_id=tenant_id, source=external_id).count(),
    }


def _read(rows: QuerySet[Row]) -> Iterator[dict[str, object]]:
    return rows.values_list("body", flat=True).iterator(READ_BATCH_SIZE)
