"""Which entity a name means: by index on its key, then equal to the letter and of the same kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge.canon.models import PUBLIC
from knowledge.graph.core.names import is_same_name, name_key
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity
from knowledge.graph.core.views import GraphReader
from knowledge.graph.models import GraphEntity
from knowledge.graph.selectors.entities import fetch
from knowledge.graph.selectors.readers import build_condition, list_parameters, make_world_reader
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name that an owner's words may be equal to: his own, or a public one of canon."""

    key: str
    text: str
    kind: str
    entity_id: int
    """What stands for the entity."""
    is_own: bool


def make_resolution_reader(tenant_id: int, world_id: int, owner: GraphOwner) -> GraphReader:
    """What the words of an owner are resolved against: public names of canon that are live, and his own.

    Names that canon keeps secret are left out, so that no player finds out by saying one.
    """
    return make_world_reader(tenant_id, world_id, audience=(PUBLIC,), owners=(owner,))


def load_known_names(
    tenant_id: int, world_id: int, owner: GraphOwner, names: Sequence[str]
) -> dict[str, list[KnownName]]:
    """Key to the names that have it. Two queries, none for no names."""
    keys = sorted({name_key(name) for name in names} - {""})
    if not keys:
        return {}
    reader = make_resolution_reader(tenant_id, world_id, owner)
    statement = read_query(SQL / "known_names.sql").format(visible=build_condition(reader, "n"))
    found: dict[str, list[KnownName]] = {}
    for row in fetch(statement, list_parameters(reader) | {"keys": keys}):
        found.setdefault(row["key"], []).append(KnownName(**row))
    return found


def load_slug_entities(tenant_id: int, world_id: int, slugs: Sequence[str]) -> dict[str, int]:
    """Slug to what stands for its entity. One query, none for no slugs."""
    if not slugs:
        return {}
    rows = GraphEntity.objects.filter(tenant_id=tenant_id, world_id=world_id, slug__in=set(slugs))
    return {slug: merged or id_ for slug, id_, merged in rows.values_list("slug", "id", "merged_into_id")}


def resolve_mention(
    known: Mapping[str, Sequence[KnownName]], mention: MentionedEntity, owner: GraphOwner
) -> int | None:
    """The one entity of the mention's kind with an equal name, the owner's own before canon's; else None."""
    equal = [
        each
        for each in known.get(name_key(mention.name), ())
        if each.kind == mention.kind and is_same_name(each.text, mention.name)
    ]
    for layer in ([each for each in equal if each.is_own], equal):
        entities = {each.entity_id for each in layer}
        if len(entities) == 1:
            return entities.pop()
    return None
