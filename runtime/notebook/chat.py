"""Notebooks of NPCs in `npc/chat`, where a world has them switched on: one for each NPC and player."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from knowledge.notebook.actions.commands import CommandRun, run_commands
from knowledge.notebook.actions.notebooks import open_own_notebook
from knowledge.notebook.core.names import validate_agent
from knowledge.notebook.core.tokenizer import Tokenized
from knowledge.notebook.selectors.memberships import Seat, has_chat_notebooks
from runtime.notebook.follow_up import render_follow_up
from runtime.notebook.templates import NotebookTemplates, load_notebook_templates
from tenancy.selectors import get_end_user

NPC_AGENT = "npc"


def open_chat_notebook(*, tenant_id: int, world_id: int, npc_id: str, user_id: str) -> Seat | None:
    """The notebook of an NPC with a player, made on need; None where the world has it switched off.

    One query where it is off, else three. It is about the player, and goes with them.
    """
    if not has_chat_notebooks(world_id):
        return None
    digest = hashlib.sha256(f"{npc_id}\x00{user_id}".encode()).hexdigest()[:32]
    agent = npc_id if validate_agent(npc_id) is None else NPC_AGENT
    return open_own_notebook(
        tenant_id=tenant_id,
        world_id=world_id,
        slug=f"npc-chat:{digest}",
        agent=agent,
        end_user_id=get_end_user(tenant_id=tenant_id, external_id=user_id).pk,
        title=f"{npc_id[:100]} in talk",
    )


def run_reply_commands(
    seat: Seat, text: str, found: Tokenized, *, given: Sequence[str], message_id: int, request_id: str
) -> CommandRun:
    """What became of the commands of a reply. What the model only repeats from its prompt is refused."""
    return run_commands(seat, found, given=given, message_id=message_id, request_id=request_id, source_text=text)


def get_templates(language: str) -> NotebookTemplates:
    """The templates of a language, or the English ones."""
    templates = load_notebook_templates()
    return templates.get(language, templates["en"])


def build_follow_up(run: CommandRun, templates: NotebookTemplates, *, agent: str) -> str:
    """What the model is told of its commands before it goes on; that nothing was found, where it only wrote."""
    return render_follow_up(run, templates, agent=agent) or templates.results
