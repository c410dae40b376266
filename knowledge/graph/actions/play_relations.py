"""Relations that play states, written by authority: canon, then the engine, then what a model took from talk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from django.db.models import Q

from knowledge.canon.models import PUBLIC
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.predicates import SINGLE_OBJECT, SINGLE_SUBJECT, canonical_predicate, make_slot
from knowledge.graph.core.statements import PlaySource, SourceStatements, StatedRelation
from knowledge.graph.models import GraphEntity, GraphRelation, RelationSource, RelationState
from knowledge.graph.selectors.entities import fetch
from knowledge.graph.selectors.readers import build_condition, list_parameters, make_world_reader
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
MAX_SPAN_LENGTH = 300
_HIGHER: dict[str, tuple[str, ...]] = {RelationSource.ENGINE: (), RelationSource.EVENT: (RelationSource.ENGINE,)}


@dataclass(slots=True)
class RelationWriter:
    """Gathers the relations of one call, then writes them in the order of the story."""

    tenant_id: int
    world_id: int
    owner: GraphOwner
    source: PlaySource
    now: dt.datetime
    written: int = 0
    disputed: int = 0
    ended: int = 0
    skipped: int = 0
    _drafts: list[GraphRelation] = field(default_factory=list)

    def add(
        self,
        event: SourceStatements,
        relation: StatedRelation,
        subject: int | None,
        object_: int | None,
        *,
        audience: Iterable[str],
    ) -> None:
        """Take in a relation between two entities; one that says nothing is counted as skipped."""
        predicate = canonical_predicate(relation.predicate)
        if subject is None or object_ is None or subject == object_ or not predicate.name:
            self.skipped += 1
            return
        src, dst = (object_, subject) if predicate.is_turned else (subject, object_)
        span = relation.span.strip() or f"{relation.subject} – {relation.predicate} – {relation.object}"
        self._drafts.append(
            GraphRelation(
                tenant_id=self.tenant_id,
                world_id=self.world_id,
                owner_kind=self.owner.kind,
                owner_id=self.owner.id,
                src_id=src,
                predicate=predicate.name,
                dst_id=dst,
                stated_as=relation.predicate.strip()[:64],
                slot=make_slot(predicate.name, src, dst),
                audience=list(audience),
                source_kind=self.source,
                source_id=event.source_id,
                span=span[:MAX_SPAN_LENGTH],
                story_from=event.story_from,
                story_time=event.story_time[:200],
                recorded_at=self.now,
            )
        )

    def write(self) -> None:
        """Write what was gathered. What stands in the same slot ends if it is older and of no higher authority."""
        known = self._load_known()
        canon = self._load_canon()
        for draft in self._drafts:
            identity = (draft.source_id, draft.src_id, draft.predicate, draft.dst_id)
            if identity in known:
                self.skipped += 1
                continue
            known.add(identity)
            self._write_one(draft, canon)

    def _write_one(self, draft: GraphRelation, canon: set[tuple[str, int, int]]) -> None:
        self.written += 1
        if draft.slot and self._is_denied(draft, canon):
            draft.state = RelationState.DISPUTED
            self.disputed += 1
            draft.save()
            return
        holder = self._find_holder(draft) if draft.slot else None
        if holder is None:
            draft.save()
            return
        if (holder.src_id, holder.dst_id) == (draft.src_id, draft.dst_id):
            draft.slot = ""  # a second witness of what stands: it ends with its own source
            draft.save()
        elif holder.source_kind in _HIGHER[draft.source_kind]:
            draft.state = RelationState.DISPUTED
            self.disputed += 1
            draft.save()
        elif (holder.story_from or 0) > (draft.story_from or 0):
            draft.ended_at, draft.story_to, draft.ended_by = self.now, holder.story_from, holder
            draft.save()
            self.ended += 1
        else:
            self._replace(holder, draft)

    def _replace(self, holder: GraphRelation, draft: GraphRelation) -> None:
        """The newer relation in the slot of the older one, and of those that witnessed the same."""
        same = GraphRelation.objects.filter(
            self._mine(), src_id=holder.src_id, predicate=holder.predicate, dst_id=holder.dst_id, ended_at__isnull=True
        ).exclude(source_kind__in=_HIGHER[draft.source_kind])
        ids = list(same.values_list("pk", flat=True))
        GraphRelation.objects.filter(pk__in=ids).update(ended_at=self.now)
        draft.save()
        GraphRelation.objects.filter(pk__in=ids).update(ended_by=draft)
        GraphRelation.objects.filter(pk__in=ids, story_from__lte=draft.story_from).update(story_to=draft.story_from)
        self.ended += len(ids)

    def _find_holder(self, draft: GraphRelation) -> GraphRelation | None:
        rows = GraphRelation.objects.filter(
            self._mine(), slot=draft.slot, state=RelationState.ACTIVE, ended_at__isnull=True
        )
        return rows.select_for_update().order_by("pk").first()

    def _is_denied(self, draft: GraphRelation, canon: set[tuple[str, int, int]]) -> bool:
        """Whether canon has another in the slot."""
        if (draft.predicate, draft.src_id, draft.dst_id) in canon:
            return False
        if draft.predicate in SINGLE_OBJECT:
            return any((name, src) == (draft.predicate, draft.src_id) for name, src, _ in canon)
        return any((name, dst) == (draft.predicate, draft.dst_id) for name, _, dst in canon)

    def _load_known(self) -> set[tuple[int, int, str, int]]:
        rows = GraphRelation.objects.filter(
            self._mine(),
            source_kind=self.source,
            source_id__in={draft.source_id for draft in self._drafts},
            ended_at__isnull=True,
        )
        known = set(rows.values_list("source_id", "src_id", "predicate", "dst_id"))
        ended = GraphRelation.objects.filter(
            self._mine(),
            source_kind=self.source,
            source_id__in={draft.source_id for draft in self._drafts},
            ended_by__isnull=False,
        )
        return known | set(ended.values_list("source_id", "src_id", "predicate", "dst_id"))

    def _load_canon(self) -> set[tuple[str, int, int]]:
        """What live canon says publicly of the drafts' ends in predicates that hold of one thing."""
        ends = {end for draft in self._drafts if draft.slot for end in (draft.src_id, draft.dst_id)}
        if not ends:
            return set()
        members = dict(
            GraphEntity.objects.filter(
                Q(pk__in=ends) | Q(merged_into_id__in=ends), tenant_id=self.tenant_id
            ).values_list("id", "merged_into_id")
        )
        reader = make_world_reader(self.tenant_id, self.world_id, audience=(PUBLIC,))
        statement = read_query(SQL / "canon_slots.sql").format(visible=build_condition(reader, "x"))
        slots = {"predicates": sorted(SINGLE_OBJECT | SINGLE_SUBJECT), "members": list(members)}
        rows = fetch(statement, list_parameters(reader) | slots)
        return {(row["predicate"], row["src"], row["dst"]) for row in rows}

    def _mine(self) -> Q:
        return Q(tenant_id=self.tenant_id, owner_kind=self.owner.kind, owner_id=self.owner.id)
