"""The rows of the graph that a reader may see, as a condition of SQL: filtered before anything is walked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db.models import Q

from knowledge.canon.models import Alias, AliasName, DomainIndex, LivePeriod
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.owners import OwnerKind as OwnerKindName
from knowledge.graph.core.views import GraphReader
from knowledge.graph.models.guards import OwnerKind
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
NO_PLAY: Mapping[OwnerKindName, str] = {}


def make_reader(
    release: ResolvedRelease,
    *,
    audience: Sequence[str] | None,
    is_npc: bool = False,
    owners: Sequence[GraphOwner] = (),
    as_of: dt.datetime | None = None,
) -> GraphReader:
    """A reader of a world's graph: the release's domain as it is there, the other domains as they are `latest`.

    With `as_of` every domain is read as it was live at that time, and play as it stood. One query.
    """
    world = {"tenant_id": release.tenant_id, "world_id": release.world_id}
    releases = _list_live_at(release.world_id, as_of) if as_of else _list_latest(release.world_id)
    if as_of is None:
        releases[release.domain_index_id] = release.number
    return GraphReader(
        **world,
        releases=tuple(sorted(releases.items())),
        audience=None if audience is None else tuple(audience),
        is_npc=is_npc,
        owners=tuple(owners),
        as_of=as_of,
    )


def make_world_reader(
    tenant_id: int,
    world_id: int,
    *,
    audience: Sequence[str] | None,
    is_npc: bool = False,
    owners: Sequence[GraphOwner] = (),
) -> GraphReader:
    """A reader of what is `latest` in every domain of a world. One query."""
    return GraphReader(
        tenant_id=tenant_id,
        world_id=world_id,
        releases=tuple(sorted(_list_latest(world_id).items())),
        audience=None if audience is None else tuple(audience),
        is_npc=is_npc,
        owners=tuple(owners),
    )


def _list_latest(world_id: int) -> dict[int, int]:
    rows = Alias.objects.filter(domain_index__world_id=world_id, name=AliasName.LATEST)
    return dict(rows.values_list("domain_index_id", "release__number"))


def _list_live_at(world_id: int, time: dt.datetime) -> dict[int, int]:
    rows = LivePeriod.objects.filter(
        Q(ended_at__isnull=True) | Q(ended_at__gt=time), domain_index__world_id=world_id, began_at__lte=time
    )
    return dict(rows.order_by("id").values_list("domain_index_id", "release__number"))


def list_domain_indexes(world_id: int) -> dict[int, str]:
    """Domain index to the domain's name, of one world."""
    return dict(DomainIndex.objects.filter(world_id=world_id).values_list("id", "domain"))


def build_condition(reader: GraphReader, row: str, *, play: Mapping[OwnerKindName, str] = NO_PLAY) -> str:
    """The condition for the rows of a table, called `row` in the statement, that the reader may see.

    `play` is kind of owner to a query of ids, read beside the reader's owners. The parameters are those of
    `list_parameters`. Filled in by code, never by callers.
    """
    layers = [
        f"{row}.domain_index_id = %(index_{place})s AND {row}.added_in <= %(number_{place})s"
        f" AND ({row}.removed_in IS NULL OR {row}.removed_in > %(number_{place})s)"
        for place in range(len(reader.releases))
    ]
    owners = ["canon", *(f"%(owner_kind_{place})s" for place in range(len(reader.owners)))]
    standing = f"{row}.ended_at IS NULL"
    if reader.as_of is not None:
        standing = f"{row}.recorded_at <= %(as_of)s AND ({row}.ended_at IS NULL OR {row}.ended_at > %(as_of)s)"
    mine = [f"{row}.owner_kind = 'canon'"]
    mine += [
        f"({row}.owner_kind = %(owner_kind_{place})s AND {row}.owner_id = %(owner_id_{place})s)"
        for place in range(len(owners) - 1)
    ]
    mine += [f"({row}.owner_kind = '{OwnerKind(kind)}' AND {row}.owner_id IN ({ids}))" for kind, ids in play.items()]
    layers.append(f"{row}.domain_index_id IS NULL AND {standing} AND ({' OR '.join(mine)})")
    live = " OR ".join(f"({layer})" for layer in layers)
    if reader.audience is None:
        return f"({live})"
    known = f"{row}.audience && %(audience)s::varchar[]"
    if not reader.is_npc:
        known = f"({row}.owner_kind <> 'canon' OR {known})"
    return f"(({live}) AND {known})"


def list_parameters(reader: GraphReader) -> dict[str, Any]:
    """What `build_condition` refers to, and the tenant and the world."""
    parameters: dict[str, Any] = {
        "tenant_id": reader.tenant_id,
        "world_id": reader.world_id,
        "audience": list(reader.audience or ()),
        "as_of": reader.as_of,
    }
    for place, (index, number) in enumerate(reader.releases):
        parameters |= {f"index_{place}": index, f"number_{place}": number}
    for place, owner in enumerate(reader.owners):
        parameters |= {f"owner_kind_{place}": str(OwnerKind(owner.kind)), f"owner_id_{place}": owner.id}
    return parameters


def build_named(reader: GraphReader, root: str, relation: str, *, play: Mapping[OwnerKindName, str] = NO_PLAY) -> str:
    """The condition that an entity has a name which the reader knows; of a canon relation's ends, one of canon.

    Else a player's words could put a name to what canon keeps secret, and canon's relations would follow from it.
    """
    visible = build_condition(reader, "n", play=play)
    source = f"({relation}.source_kind <> 'canon' OR n.source_kind IN ('canon', 'editor'))"
    return read_query(SQL / "named.sql").format(root=root, source=source, visible=visible)
