"""The sample's notebook: what an agent that prepares sessions wrote down. Doing it again changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

from knowledge.notebook.actions.entries import write_entry
from knowledge.notebook.actions.notebooks import open_own_notebook
from knowledge.notebook.core.drafts import Draft
from knowledge.notebook.models import ChatNotebooks
from tenancy.models import World


def load_notebook(world: World, source: Path) -> None:
    """The notebook as its file says, and the switch for NPCs' notebooks, off as in every new world."""
    told = json.loads(source.read_text(encoding="utf-8"))
    seat = open_own_notebook(
        tenant_id=world.tenant_id,
        world_id=world.pk,
        slug=told["slug"],
        agent=told["agent"],
        end_user_id=None,
        title=told["title"],
    )
    for entry in told["entries"]:
        write_entry(seat, Draft(entry["kind"], entry["name"], entry["content"]))
    ChatNotebooks.objects.get_or_create(tenant_id=world.tenant_id, world=world)
