"""What the engine tells of scenes goes into the graph of its campaign: who was where, and what the party holds.

Players are left out: a graph of play is no place for persons. Authority of the engine comes after canon's and before
that of events out of talk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from episodes.campaigns.core.engine_names import list_slugs, name_of_id
from episodes.campaigns.core.summaries import SummaryDraft
from episodes.models import EpisodicSummary
from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.actions.withdrawal import withdraw_sources
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity, SourceStatements, StatedRelation


def link_summaries(campaign_pk: int, rows: Sequence[tuple[EpisodicSummary, SummaryDraft]]) -> None:
    """The summaries' people, place and loot are entities, with what joins them. In the transaction that stores them."""
    if rows:
        upsert_from_events(
            tenant_id=rows[0][0].tenant_id,
            world_id=rows[0][0].world_id,
            owner=GraphOwner("campaign", campaign_pk),
            events=[state_summary(summary, draft) for summary, draft in rows],
            source="engine",
        )


def unlink_summaries(*, tenant_id: int, campaign_pk: int, rows: Iterable[EpisodicSummary]) -> None:
    """What these summaries said stands no more; what it had ended does again. In the transaction that undoes them."""
    source_ids = [row.pk for row in rows]
    if source_ids:
        owner = GraphOwner("campaign", campaign_pk)
        withdraw_sources(tenant_id=tenant_id, owner=owner, source_ids=source_ids, source="engine")


def state_summary(summary: EpisodicSummary, draft: SummaryDraft) -> SourceStatements:
    """What a summary states: the NPCs are in its place, the party holds its loot. The NPCs that saw it know of it."""
    place, party = name_of_id(draft.location_id), name_of_id(draft.party_id)
    people = [(name_of_id(npc_id), list_slugs(npc_id)) for npc_id in draft.npcs]
    loot = [(name_of_id(item_id), list_slugs(item_id)) for item_id, _ in draft.loot]
    entities = [MentionedEntity(place, "place", list_slugs(draft.location_id))]
    entities += [MentionedEntity(name, "character", slugs) for name, slugs in people]
    entities += [MentionedEntity(name, "item", slugs) for name, slugs in loot]
    if loot:
        entities.append(MentionedEntity(party, "faction"))
    return SourceStatements(
        source_id=summary.pk,
        entities=tuple(entities),
        relations=(
            *(StatedRelation(name, "located_in", place) for name, _ in people),
            *(StatedRelation(party, "holds", name) for name, _ in loot),
        ),
        audience=tuple(f"npc:{npc_id}" for npc_id in draft.npcs),
        story_from=summary.seq,
        context=f"{draft.event}, {draft.outcome}",
    )
