"""Who takes part in a turn, how they stand, and how the scene looks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection

from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.search.sql import read_query
from memoryproject.rows import fetch_rows
from npcs.dispositions.core.moves import DEFAULT_SCALE
from npcs.errors import UnknownNpc
from runtime.context.request import ContextRequest

SQL = Path(__file__).parent.parent / "sql"


@dataclass(frozen=True, slots=True)
class Person:
    """An NPC and how it stands towards the party, else towards the player; None where nothing ever moved it."""

    npc_id: str
    persona_version: int
    """0 without a profile."""
    name: str
    names: Mapping[str, str]
    archetype: str
    persona: str
    secrets: tuple[str, ...]
    value: float | None
    reason: str | None
    """Of the last move that stands, and the summary that told it."""
    moved_by: str | None


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest safe picture of the scene, in words."""

    image_id: str
    tags: tuple[str, ...]
    style: str
    seed: int | None


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is there, the speaker first."""

    languages: tuple[str, ...]
    """Of the world."""
    kind: str
    """Of the world: `game` or `companion`."""
    article: Mapping[str, Any] | None
    """The fields of the speaker's article of lore."""
    scale: tuple[float, float, float]
    people: tuple[Person, ...] = ()
    picture: Picture | None = None


DEFAULT = (DEFAULT_SCALE.least, DEFAULT_SCALE.most, DEFAULT_SCALE.initial)


def find_cast(request: ContextRequest, npc_ids: Sequence[str], *, lore: ResolvedRelease | None) -> Cast:
    """The speaker, or with a narrator those of `npc_ids` that are known. One query. Raises UnknownNpc."""
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(SQL / "cast.sql"),
            {
                "tenant_id": request.tenant_id,
                "world_id": request.world_id,
                "speaker": request.npc_id,
                "lore_index_id": None if lore is None else lore.domain_index_id,
                "lore_number": None if lore is None else lore.number,
                "npc_ids": [request.npc_id] if request.npc_id is not None else list(npc_ids),
                "party_id": request.party_id,
                "external_id": request.user_id,
                "scene_id": request.scene_id,
            },
        )
        [row] = fetch_rows(cursor)
    article, scale, picture = row["article"], row["scale"], row["picture"]
    if request.npc_id is not None and not row["people"]:
        raise UnknownNpc(f"There is no NPC {request.npc_id!r}.", npc_id=request.npc_id)
    return Cast(
        languages=tuple(row["languages"] or ()),
        kind=row["kind"],
        article=json.loads(article) if isinstance(article, str) else article,
        scale=(scale["least"], scale["most"], scale["initial"]) if scale else DEFAULT,
        people=tuple(_read_person(each) for each in row["people"]),
        picture=None if picture is None else Picture(**{**picture, "tags": tuple(picture["tags"])}),
    )


def get_name(person: Person, language: str) -> str:
    """The NPC's name in a language."""
    return person.names.get(language) or person.name


def _read_person(row: Mapping[str, Any]) -> Person:
    npc_id, last_move = row["npc_id"], row["last_move"] or {}
    return Person(
        npc_id=npc_id,
        persona_version=row["persona_version"],
        name=row["name"] or npc_id.removeprefix("npc_").replace("_", " ").replace("-", " "),
        names=row["names"] or {},
        archetype=row["archetype"] or "",
        persona=row["persona"] or "",
        secrets=tuple(row["secrets"] or ()),
        value=row["value"],
        reason=last_move.get("reason"),
        moved_by=last_move.get("summary_id"),
    )
