"""Reads of the store: items by key, below a prefix, by a query; and namespaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connection
from psycopg.types.json import Jsonb

from knowledge.search.sql import read_query
from knowledge.store.core.filters import render_filter
from knowledge.store.core.ops import WILDCARD, Get, ListNamespaces, Match, Namespace, Search
from knowledge.store.models import StoreItem, StoreSpace
from memoryproject.prepared import fetch_prepared
from tenancy.selectors import in_world

SQL = Path(__file__).resolve().parents[1] / "sql"
LIVE = "(i.expires_at IS NULL OR i.expires_at > statement_timestamp())"
"""What has expired is told to nobody, whether it was swept yet or not."""


@dataclass(slots=True)
class ItemCondition:
    """A condition in SQL on a row `i` of items, and its parameters."""

    parameters: dict[str, Any]
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The condition."""
        return " AND ".join(self.parts)

    def add(self, value: Any) -> str:
        """The placeholder of a further parameter."""
        name = f"item_{len(self.parameters)}"
        self.parameters[name] = value
        return f"%({name})s"


def find_space(*, tenant_id: int, world_id: int | None) -> StoreSpace | None:
    """The store of a world, or of the tenant for no world; None while nothing was ever put there. One query."""
    return StoreSpace.objects.filter(in_world(world_id), tenant_id=tenant_id).first()


def build_condition(space: StoreSpace, prefix: Namespace = (), filter_: Any = None) -> ItemCondition:
    """Live items of the space, below a prefix, that fit a filter."""
    condition = ItemCondition({"tenant_id": space.tenant_id, "space_id": space.pk})
    condition.parts = ["i.tenant_id = %(tenant_id)s", "i.space_id = %(space_id)s", LIVE]
    if prefix:
        labels = condition.add(list(prefix))
        # Containment asks the index, the slice decides.
        condition.parts += [
            f"i.namespace @> {labels}::text[]",
            f"i.namespace[1:{len(prefix)}] = {labels}::text[]",
        ]
    if filter_:
        condition.parts.append(render_filter(filter_, condition.parameters, column="i.value"))
    return condition


def find_items(space: StoreSpace, wanted: Sequence[Get]) -> dict[tuple[Namespace, str], StoreItem]:
    """The live items among those asked for, by namespace and key. One query."""
    places = {(each.namespace, each.key) for each in wanted}
    rows = fetch_prepared(
        StoreItem,
        read_query(SQL / "store_get.sql"),
        {"tenant_id": space.tenant_id, "space_id": space.pk, "places": Jsonb([*places])},
    )
    return {(tuple(row.namespace), row.key): row for row in rows}


def list_newest(space: StoreSpace, op: Search) -> list[StoreItem]:
    """The items below the prefix that fit the filter, those written last first. One query."""
    condition = build_condition(space, op.namespace, op.filter)
    statement = read_query(SQL / "store_search.sql").format(condition=condition.text)
    parameters = {**condition.parameters, "limit": op.limit, "offset": op.offset}
    return list(StoreItem.objects.raw(statement, parameters))


def list_namespaces(space: StoreSpace, op: ListNamespaces) -> list[Namespace]:
    """The namespaces that hold a live item and fit all conditions. One query."""
    condition = build_condition(space)
    for match in op.match:
        _add_match(condition, match)
    statement = read_query(SQL / "store_namespaces.sql").format(condition=condition.text)
    parameters = {**condition.parameters, "max_depth": op.max_depth, "limit": op.limit, "offset": op.offset}
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [tuple(row[0]) for row in cursor.fetchall()]


def _add_match(condition: ItemCondition, match: Match) -> None:
    size = len(match.path)
    condition.parts.append(f"cardinality(i.namespace) >= {size}")
    for index, label in enumerate(match.path):
        if label != WILDCARD:
            place = str(index + 1) if match.at == "prefix" else f"cardinality(i.namespace) - {size - 1 - index}"
            condition.parts.append(f"i.namespace[{place}] = {condition.add(label)}")
