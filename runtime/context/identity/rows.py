"""The player's and the party's rows for one turn, read together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import connection

from knowledge.search.sql import read_query
from memoryproject.rows import fetch_rows
from runtime.context.core.budgets import Budget, LayerBudget
from runtime.context.request import ContextRequest

SQL = Path(__file__).parent.parent / "sql"
MAX_EVENTS = 2
"""So many events between scenes are told: flags say the rest."""

Row = Mapping[str, Any]
"""Column to value."""


def read_rows(request: ContextRequest, budget: Budget) -> tuple[Row | None, Row | None]:
    """The row with the columns of `player.sql`, and of `play.sql`; each None where nobody is meant or known.

    One query, or none.
    """
    if request.user_id is None and request.party_id is None:
        return None, None
    statement = (
        f"SELECT * FROM (VALUES (1)) AS one (row) LEFT JOIN ({read_query(SQL / 'player.sql')}) AS player ON true"  # noqa: S608 - our own files
        f" LEFT JOIN ({read_query(SQL / 'play.sql')}) AS play ON true"
    )
    layers = budget.layers
    with connection.cursor() as cursor:
        cursor.execute(
            statement,
            {
                "tenant_id": request.tenant_id,
                "world_id": request.world_id,
                "is_world_bound": request.is_world_bound,
                "external_id": request.user_id,
                "talk_npc_id": request.npc_id or "",
                "conversation_id": request.conversation_id,
                "session_id": request.session_id,
                "max_talk": layers["talk"].max_items + 1,
                "max_pending": _count_pending(layers),
                "party_id": request.party_id,
                "npc_id": request.npc_id,
                "scene_id": request.scene_id,
                "max_summaries": layers["summaries"].max_items + 1,
                "max_flags": layers["state"].max_items + 1,
                "max_events": MAX_EVENTS if layers["state"].max_items else 0,
            },
        )
        [row] = fetch_rows(cursor)
    return (None if row["end_user_id"] is None else row), (None if row["campaign_id"] is None else row)


def _count_pending(layers: Mapping[str, LayerBudget]) -> int:
    """Enough waiting messages for the layer when the newest of them are told in the talk or as episodes."""
    wanted = layers["pending"].max_items
    return wanted + layers["talk"].max_items + layers["episodes"].max_items + 1 if wanted else 0
