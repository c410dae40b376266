"""The query parameters that reads of canon share, and what they resolve to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowledge.canon.models import PUBLIC, AliasName
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from memoryproject.rest.parameters import ListParameter, NumberParameter, TextParameter
from tenancy.core.caller import WorldRef

MAX_RELEASE_NUMBER = 2_147_483_647

DOMAIN = TextParameter(
    "domain", "Which part of canon: `lore`, `srd` (the rules), or a domain of `config/knowledge.yaml`.", "lore", 32
)
RELEASE = NumberParameter(
    "release", "A release by number, past ones too. Not together with `alias`.", 3, 1, MAX_RELEASE_NUMBER
)
ALIAS = TextParameter("alias", "`latest` (the default) or `stage`.", "latest", 16)
NPC_ID = TextParameter(
    "npc_id",
    "Read as this NPC: what its tags and its factions may know comes too. Without it, nothing secret is returned.",
    "oda-marr",
    120,
)
SESSION_ID = TextParameter(
    "session_id",
    "The play session, also as the header X-Session-ID. A canary's share of sessions reads `stage` for `latest`.",
    "session-42",
    200,
)
SESSION_HEADER = TextParameter("X-Session-ID", "The same as the parameter `session_id`, which wins.", "session-42", 200)
LANGUAGE = TextParameter("language", "Only articles in this language, as a BCP 47 tag.", "en", 35)
TAGS = ListParameter(
    "tags", "Only articles that carry all of these tags.", "bell", 64, r"^[^\s,|\[\]\x00-\x1f\x7f-\x9f]+$"
)
TYPE = TextParameter("type", "Only articles of this type.", "item", 40)

READER = (RELEASE, ALIAS, NPC_ID, SESSION_ID)


@dataclass(frozen=True, slots=True)
class Reading:
    """Which release a call reads, and as whom."""

    release: ResolvedRelease
    audience: tuple[str, ...]


def resolve_reading(world: WorldRef, values: dict[str, Any], *, domain: str, session_id: str | None = None) -> Reading:
    """The release and the audience that the parameters ask for.

    Raises UnknownDomain, UnknownAlias, UnknownRelease.
    """
    release = resolve_release(
        world_id=world.world_id,
        domain=values.get("domain", domain),
        alias=values.get("alias", AliasName.LATEST),
        release=values.get("release"),
        session_id=values.get("session_id", session_id),
    )
    npc_id = values.get("npc_id")
    audience = (PUBLIC,) if npc_id is None else get_npc_audience(world.world_id, npc_id, release=release)
    return Reading(release=release, audience=audience)
