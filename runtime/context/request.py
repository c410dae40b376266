"""What is asked of a context pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from runtime.context.core.budgets import LayerOverride
from tenancy.core.caller import WorldRef

MAX_MESSAGE_LENGTH = 32_000


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """One turn: who speaks to whom, where, and what was said. What is None is not known."""

    tenant_id: int
    world_id: int
    message: str
    message_id: int | None = None
    """The message in RAW, where it was posted before."""
    user_id: str | None = None
    conversation_id: int | None = None
    session_id: str | None = None
    npc_id: str | None = None
    party_id: str | None = None
    scene_id: str | None = None
    location_id: str | None = None
    mood: str = ""
    language: str | None = None
    model: str | None = None
    """The chat model that is to read the pack: it may have a budget of its own."""
    release: int | None = None
    alias: str = "latest"
    total: int | None = None
    layers: Mapping[str, LayerOverride] = field(default_factory=dict)
    with_secrets: bool = False
    """Whether the asker may be told what NPCs keep to themselves."""
    is_world_bound: bool = False
    """Whether the asker reaches this world alone: then nothing is told that only other worlds, or none, hold."""
    notebook_id: int | None = None
    """The notebook of the NPC that speaks, with this player."""
    is_preview: bool = False
    """Whether nobody plays: what is not found is not counted as missed."""


def build_request(world: WorldRef, body: Mapping[str, Any], *, with_secrets: bool) -> ContextRequest:
    """The request of a body that fits the schema of `POST context`, whose `content` was called `message`."""
    members = {name: value for name, value in body.items() if name not in {"budget", "content", "message"}}
    budget = body.get("budget", {})
    return ContextRequest(
        tenant_id=world.tenant_id,
        world_id=world.world_id,
        message=body["content"] if "content" in body else body["message"],
        total=budget.get("total"),
        layers={name: LayerOverride(**limits) for name, limits in budget.get("layers", {}).items()},
        with_secrets=with_secrets,
        is_world_bound=world.is_bound,
        **members,
    )
