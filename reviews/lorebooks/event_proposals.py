"""An archived event of play as an article of canon: proposed, and for people to decide."""

from __future__ import annotations

import json
from typing import Any

from episodes.events.errors import EventNotArchived
from episodes.events.models import EventNode, EventState
from knowledge.canon.core.slugs import is_slug
from knowledge.lorebooks.files import LoreFile, read_lore_file
from reviews.core.actor import Actor
from reviews.lorebooks.actions import import_lorebook
from reviews.lorebooks.core.articles import MAX_ALIASES, ImportDefaults
from reviews.lorebooks.plans import LorebookImport

MAX_KEYS = min(24, MAX_ALIASES)


def propose_event(
    *, actor: Actor, node: EventNode, domain: str = "lore", is_draft: bool = False
) -> tuple[LorebookImport, LoreFile]:
    """The event's title, text and keywords as an article of a change request, and the entry that they were read from.

    Only the NPCs who took part know of it, where canon can name one of them, until an editor says otherwise.

    Of an event that was proposed before, what it says otherwise now; none where canon, or an open change request, says
    it already. Raises EventNotArchived, and what `import_lorebook` raises.
    """
    if node.state != EventState.ARCHIVED or node.is_hidden or node.world_id is None:
        raise EventNotArchived(f"The event {node.pk} is not archived, is hidden, or belongs to no world.")
    audience = tuple(f"npc:{npc_id}" for npc_id in node.npc_ids if is_slug(npc_id)) or "public"
    file = read_lore_file(json.dumps({"entries": {"0": _build_entry(node)}}).encode())
    done = import_lorebook(
        actor=actor,
        world_id=node.world_id,
        domain=domain,
        file=file,
        title=f"From play: {node.title}"[:200],
        description=f"Of the event {node.pk}. What players did is canon only once somebody else has approved it.",
        defaults=ImportDefaults(tags=("from-play",), audience=audience),
        book_name=f"event {node.pk}",
        is_draft=is_draft,
    )
    return done, file


def _build_entry(node: EventNode) -> dict[str, Any]:
    """The event as an entry of World Info: its words as people left them, without the card around them."""
    plot = node.read_plot()
    if plot is None:
        raise EventNotArchived(f"The event {node.pk} has no words.")
    names = [entity.name for entity in plot.entities]
    place = ", ".join(part for part in (plot.location, plot.timestamp) if part)
    content = "\n\n".join(part for part in (plot.summary, plot.details, place) if part)
    keys = list(dict.fromkeys((*plot.keywords, *names)))[:MAX_KEYS]
    return {"uid": 0, "key": keys, "comment": node.title, "content": content}
