"""The query parameters of the graph, and the reader that they make."""

from __future__ import annotations

import datetime as dt
from typing import Any

from knowledge.api.parameters import ALIAS, DOMAIN, NPC_ID, RELEASE, SESSION_ID, resolve_reading
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.graph.core.views import GraphReader
from knowledge.graph.selectors.scope import make_reader
from tenancy.api.parameters import TextParameter
from tenancy.core.caller import WorldRef
from tenancy.errors import InvalidParameter

AS_OF = TextParameter(
    "as_of",
    "The graph as it was at this time (ISO 8601 with an offset): each domain in the release that was live then. Not "
    "together with `release` or `alias`.",
    "2026-01-15T12:00:00Z",
    40,
)
READER = (DOMAIN, RELEASE, ALIAS, AS_OF, NPC_ID, SESSION_ID)
EXCLUSIVE = (("release", "alias"), ("as_of", "release"), ("as_of", "alias"))


def read_reader(
    world: WorldRef, values: dict[str, Any], *, session_id: str | None = None
) -> tuple[GraphReader, ResolvedRelease]:
    """The reader that the parameters describe, and the release that is read of the domain asked for.

    Raises UnknownDomain, UnknownAlias, UnknownRelease, InvalidParameter.
    """
    as_of = _read_time(values)
    reading = resolve_reading(world, values, domain="lore", session_id=session_id)
    is_npc = "npc_id" in values
    reader = make_reader(reading.release, audience=reading.audience, is_npc=is_npc, as_of=as_of)
    return reader, reading.release


def _read_time(values: dict[str, Any]) -> dt.datetime | None:
    if "as_of" not in values:
        return None
    try:
        time = dt.datetime.fromisoformat(values["as_of"])
        if time.tzinfo is not None:
            return time.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        pass
    raise InvalidParameter("as_of is not a time with an offset.", code="as_of_invalid", parameter="as_of")
