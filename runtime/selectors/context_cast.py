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
from npcs.core.dispositions import DEFAULT_SCALE
from npcs.errors import UnknownNpc
from runtime.context.core.budgets import Budget
from runtime.context.core.disposition_level import name_level
from runtime.context.core.pack import Item, Provenance
from runtime.context.core.passages import quote_passage
from runtime.context.request import ContextRequest

SQL = Path(__file__).parent.parent / "context" / "sql"
PROFILE_TOKENS = 100


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


def find_cast(ask: ContextRequest, npc_ids: Sequence[str], *, lore: ResolvedRelease | None) -> Cast:
    """The speaker, or with a narrator those of `npc_ids` that are known. One query. Raises UnknownNpc."""
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(SQL / "cast.sql"),
            {
                "tenant_id": ask.tenant_id,
                "world_id": ask.world_id,
                "speaker": ask.npc_id,
                "lore_index_id": None if lore is None else lore.domain_index_id,
                "lore_number": None if lore is None else lore.number,
                "npc_ids": [ask.npc_id] if ask.npc_id is not None else list(npc_ids),
                "party_id": ask.party_id,
                "external_id": ask.user_id,
                "scene_id": ask.scene_id,
            },
        )
        world, article, scale, people, picture = cursor.fetchone()
    languages, kind = world
    if ask.npc_id is not None and not people:
        raise UnknownNpc(f"There is no NPC {ask.npc_id!r}.", npc_id=ask.npc_id)
    return Cast(
        languages=tuple(languages or ()),
        kind=kind,
        article=json.loads(article) if isinstance(article, str) else article,
        scale=tuple(scale) if scale else DEFAULT,
        people=tuple(_read_person(*person) for person in people),
        picture=None if picture is None else Picture(picture[0], tuple(picture[1]), picture[2], picture[3]),
    )


def get_name(person: Person, language: str) -> str:
    """The NPC's name in a language."""
    return person.names.get(language) or person.name


def build_people_items(cast: Cast, ask: ContextRequest, language: str, budget: Budget) -> list[Item]:
    """Profiles and how they stand; what the speaker keeps to itself only where the asker may be told."""
    items: list[Item] = []
    limit = budget.layers["npc"].item_tokens or PROFILE_TOKENS
    is_towards_someone = ask.party_id is not None or ask.user_id is not None
    for rank, person in enumerate(cast.people):
        ids = {"npc_id": person.npc_id, "persona_version": person.persona_version}
        name = {"name": get_name(person, language)}
        text = ". ".join(part for part in (person.archetype, person.persona) if part)
        if text:
            quoted = quote_passage(text, ask.message, limit=limit)
            source = Provenance("npc", ids)
            items.append(
                Item(f"npc:{person.npc_id}", quoted, source, template="profile", values=name, priority=20 - rank)
            )
        if is_towards_someone:
            items.append(_describe_disposition(person, cast, ids, name, priority=10 - rank))
        if ask.with_secrets and person.npc_id == ask.npc_id:
            items += [
                Item(
                    f"npc:{person.npc_id}:secret:{place}",
                    secret,
                    Provenance("npc_secret", ids),
                    template="secret",
                    values=name,
                )
                for place, secret in enumerate(person.secrets)
            ]
    return items


def build_picture_items(picture: Picture, separator: str) -> list[Item]:
    """How the scene looked last."""
    source = Provenance("art_card", {"image_id": picture.image_id, "seed": picture.seed})
    text = separator.join(picture.tags)
    return [Item(f"art:{picture.image_id}", text, source, template="card_styled", values={"style": picture.style})]


def _describe_disposition(
    person: Person, cast: Cast, ids: Mapping[str, object], name: Mapping[str, str], *, priority: int
) -> Item:
    least, most, initial = cast.scale
    value = initial if person.value is None else person.value
    level = name_level(value, least=least, most=most, initial=initial)
    return Item(
        f"npc:{person.npc_id}:standing",
        person.reason or "",
        Provenance("disposition", {**ids, "summary_id": person.moved_by}, scores={"value": value}),
        template="disposition_because" if person.reason else "disposition",
        values=name,
        terms={"level": f"level_{level}"},
        priority=priority,
    )


def _read_person(
    npc_id: str,
    version: int,
    name: str | None,
    names: Mapping[str, str] | None,
    archetype: str | None,
    persona: str | None,
    secrets: Sequence[str] | None,
    value: float | None,
    last_move: tuple[str, str] | None,
) -> Person:
    reason, moved_by = last_move or (None, None)
    return Person(
        npc_id=npc_id,
        persona_version=version,
        name=name or npc_id.removeprefix("npc_").replace("_", " ").replace("-", " "),
        names=names or {},
        archetype=archetype or "",
        persona=persona or "",
        secrets=tuple(secrets or ()),
        value=value,
        reason=reason,
        moved_by=moved_by,
    )
