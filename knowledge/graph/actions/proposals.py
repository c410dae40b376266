"""Proposals to merge entities that look alike: for editors, once for each pair, never on their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from knowledge.graph.actions.resolution import make_resolution_reader
from knowledge.graph.core.names import NameVerdict, compare_names, latin_key, list_trigrams, name_key
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity
from knowledge.graph.models import GraphMergeProposal, GraphNotSame
from knowledge.graph.selectors.entities import fetch
from knowledge.graph.selectors.readers import build_condition, list_parameters
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
CANDIDATES_A_NAME = 12
PROPOSALS_AN_ENTITY = 3
MAX_CONTEXT_LENGTH = 1000


def propose_lookalikes(
    tenant_id: int, world_id: int, owner: GraphOwner, created: Mapping[int, tuple[MentionedEntity, str]]
) -> int:
    """How many proposals were made for new entities; pairs that were decided before stay decided."""
    proposals: list[GraphMergeProposal] = []
    for entity_id, (mention, context) in created.items():
        proposals += _propose(tenant_id, world_id, owner, entity_id, mention, context)
    if not proposals:
        return 0
    pairs = {(each.first_id, each.second_id) for each in proposals}
    known = set(
        GraphNotSame.objects.filter(tenant_id=tenant_id, withdrawn_at__isnull=True)
        .filter(first_id__in=[first for first, _ in pairs])
        .values_list("first_id", "second_id")
    )
    known |= set(
        GraphMergeProposal.objects.filter(tenant_id=tenant_id, first_id__in=[first for first, _ in pairs]).values_list(
            "first_id", "second_id"
        )
    )
    fresh = {
        (each.first_id, each.second_id): each for each in proposals if (each.first_id, each.second_id) not in known
    }
    GraphMergeProposal.objects.bulk_create(fresh.values(), ignore_conflicts=True)
    return len(fresh)


def _propose(
    tenant_id: int, world_id: int, owner: GraphOwner, entity_id: int, mention: MentionedEntity, context: str
) -> list[GraphMergeProposal]:
    reader = make_resolution_reader(tenant_id, world_id, owner)
    statement = read_query(SQL / "lookalikes.sql").format(visible=build_condition(reader, "n"))
    key = name_key(mention.name)
    rows = fetch(
        statement,
        list_parameters(reader)
        | {
            "entity_id": entity_id,
            "key": key,
            "latin": latin_key(mention.name),
            "grams": list(list_trigrams(key)),
            "limit": CANDIDATES_A_NAME,
        },
    )
    found: dict[int, GraphMergeProposal] = {}
    for row in rows:
        comparison = compare_names(mention.name, row["text"])
        if comparison.verdict == NameVerdict.DIFFERENT or row["entity_id"] in found:
            continue
        reason = "other_kind" if row["kind"] != mention.kind else comparison.reason
        ours = (mention.name, _describe(mention.kind, context))
        theirs = (row["text"], _describe(row["kind"], row["context"]))
        sides = {entity_id: ours, row["entity_id"]: theirs}
        first, second = sorted(sides)
        found[row["entity_id"]] = GraphMergeProposal(
            tenant_id=tenant_id,
            world_id=world_id,
            owner_kind=owner.kind,
            owner_id=owner.id,
            first_id=first,
            second_id=second,
            first_name=sides[first][0],
            second_name=sides[second][0],
            first_context=sides[first][1][:MAX_CONTEXT_LENGTH],
            second_context=sides[second][1][:MAX_CONTEXT_LENGTH],
            similarity=comparison.similarity,
            reason=reason,
        )
    best = sorted(found.values(), key=lambda each: -each.similarity)
    return best[:PROPOSALS_AN_ENTITY]


def _describe(kind: str, context: str) -> str:
    """What is known of a side, as a reviewer reads it."""
    return f"{kind}: {context}" if context.strip() else kind
