"""The one entry by which play comes into the graph: engine's accounts and events, by the same rules of resolution.

A name becomes an entity that is known already only if it is equal to one of its names and of the same kind. What is
merely alike is a new entity and a proposal for editors. What a source of lower authority says against one of higher
authority is kept as disputed and ends nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.utils import timezone

from knowledge.canon.core.names import storable_text
from knowledge.graph.actions.play_relations import RelationWriter
from knowledge.graph.actions.proposals import propose_lookalikes
from knowledge.graph.actions.resolution import KnownName, load_known_names, load_slug_entities, resolve_mention
from knowledge.graph.core.canon import make_name
from knowledge.graph.core.kinds import UNKNOWN, canonical_kind
from knowledge.graph.core.names import MAX_NAME_LENGTH, strict_key
from knowledge.graph.core.owners import CANON, GraphOwner
from knowledge.graph.core.statements import GraphReport, MentionedEntity, PlaySource, SourceStatements
from knowledge.graph.errors import InvalidGraphOwner, TooManySources
from knowledge.graph.models import GraphEntity, GraphName

MAX_SOURCES = 200
MAX_MENTIONS = 100
"""A source; `schemas/plot_extraction` allows 40."""
NOBODY = ("nobody",)
"""The audience of what no NPC knows: an array may not be empty."""


@dataclass(slots=True)
class _Run:
    """What one call knows and has written."""

    tenant_id: int
    world_id: int
    owner: GraphOwner
    source: PlaySource
    now: dt.datetime
    known: dict[str, list[KnownName]] = field(default_factory=dict)
    slugs: Mapping[str, int] = field(default_factory=dict)
    created: dict[int, tuple[MentionedEntity, str]] = field(default_factory=dict)
    names: list[GraphName] = field(default_factory=list)


def upsert_from_events(
    *,
    tenant_id: int,
    world_id: int,
    owner: GraphOwner,
    events: Sequence[SourceStatements],
    source: PlaySource = "event",
) -> GraphReport:
    """Write what some sources of one owner state; the same again changes nothing.

    Call it in the transaction that archives the sources. Takes the owner's advisory lock, so that two archives of one
    owner follow each other. No model and no network. Raises InvalidGraphInput.
    """
    if owner == CANON:
        raise InvalidGraphOwner("Canon changes by review only.")
    if len(events) > MAX_SOURCES:
        raise TooManySources(f"At most {MAX_SOURCES} sources at once.")
    if not events:
        return GraphReport()
    with transaction.atomic():
        lock_owner(tenant_id, owner)
        return _write(_Run(tenant_id, world_id, owner, source, timezone.now()), events)


def lock_owner(tenant_id: int, owner: GraphOwner) -> None:
    """Hold the owner's part of the graph until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"graph:{tenant_id}:{owner.kind}:{owner.id}"]
        )


def _write(run: _Run, events: Sequence[SourceStatements]) -> GraphReport:
    ordered = sorted(events, key=lambda each: (each.story_from or 0, each.source_id))
    mentions = {each.source_id: _list_mentions(each) for each in ordered}
    everyone = [mention for found in mentions.values() for mention in found.values()]
    run.known = load_known_names(run.tenant_id, run.world_id, run.owner, [mention.name for mention in everyone])
    run.slugs = load_slug_entities(run.tenant_id, run.world_id, [slug for each in everyone for slug in each.slugs])
    writer = RelationWriter(run.tenant_id, run.world_id, run.owner, run.source, run.now)
    named: list[tuple[int, tuple[int, ...]]] = []
    mentioned: list[tuple[int, tuple[tuple[str, int], ...]]] = []
    for event in ordered:
        resolved = {name: _resolve(run, mention, event.context) for name, mention in mentions[event.source_id].items()}
        run.names += [
            name
            for key, mention in mentions[event.source_id].items()
            if (name := _make_name(run, event, mention, resolved[key])) is not None
        ]
        for relation in event.relations:
            ends = (resolved.get(strict_key(relation.subject)), resolved.get(strict_key(relation.object)))
            writer.add(event, relation, *ends, audience=event.audience or NOBODY)
        named.append((event.source_id, tuple(dict.fromkeys(resolved.values()))))
        names = mentions[event.source_id]
        mentioned.append((event.source_id, tuple((names[key].name, id_) for key, id_ in resolved.items())))
    said = GraphName.objects.filter(
        tenant_id=run.tenant_id, owner_kind=run.owner.kind, owner_id=run.owner.id, source_id__in=list(mentions)
    )
    before = said.count()
    GraphName.objects.bulk_create(run.names, ignore_conflicts=True)
    after = said.count()
    writer.write()
    return GraphReport(
        entities_created=len(run.created),
        names=after - before,
        relations=writer.written,
        disputed=writer.disputed,
        ended=writer.ended,
        skipped=writer.skipped,
        proposals=propose_lookalikes(run.tenant_id, run.world_id, run.owner, run.created),
        entity_ids=tuple(named),
        mentions=tuple(mentioned),
    )


def _list_mentions(event: SourceStatements) -> dict[str, MentionedEntity]:
    """The names of a source, each once; an end of a relation that it does not list is of unknown kind."""
    found: dict[str, MentionedEntity] = {}
    unlisted = [MentionedEntity(end) for each in event.relations for end in (each.subject, each.object)]
    for mention in (*event.entities, *unlisted):
        name = storable_text(mention.name).strip()[:MAX_NAME_LENGTH]
        key = strict_key(name)
        if not any(char.isalnum() for char in key) or len(found) >= MAX_MENTIONS:
            continue
        found.setdefault(key, MentionedEntity(name, canonical_kind(mention.kind) or UNKNOWN, mention.slugs))
    return found


def _resolve(run: _Run, mention: MentionedEntity, context: str) -> int:
    """The entity that a mention means; a new one where none is equal in name and kind, or several are."""
    for slug in mention.slugs:
        if slug in run.slugs:
            return run.slugs[slug]
    found = resolve_mention(run.known, mention, run.owner)
    if found is not None:
        return found
    entity, created = GraphEntity.objects.get_or_create(
        tenant_id=run.tenant_id,
        world_id=run.world_id,
        owner_kind=run.owner.kind,
        owner_id=run.owner.id,
        kind=mention.kind,
        first_key=strict_key(mention.name),
        slug="",
    )
    root = entity.merged_into_id or entity.pk
    if created:
        run.created[root] = (mention, context)
    draft = make_name(mention.name, kind=mention.kind, language="")
    if draft is not None:
        known = KnownName(draft.key, mention.name, mention.kind, root, is_own=True)
        run.known.setdefault(draft.key, []).append(known)
    return root


def _make_name(run: _Run, event: SourceStatements, mention: MentionedEntity, entity_id: int) -> GraphName | None:
    draft = make_name(mention.name, kind=mention.kind, language="")
    if draft is None:
        return None
    return GraphName(
        tenant_id=run.tenant_id,
        world_id=run.world_id,
        entity_id=entity_id,
        owner_kind=run.owner.kind,
        owner_id=run.owner.id,
        source_kind=run.source,
        source_id=event.source_id,
        text=draft.text,
        key=draft.key,
        latin=draft.latin,
        grams=list(draft.grams),
        kind=draft.kind,
        audience=list(event.audience or NOBODY),
        recorded_at=run.now,
    )
