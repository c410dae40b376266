"""What is asked of a context pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from runtime.context.core.budgets import LayerOverride

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
    is_preview: bool = False
    """Whether nobody plays: what is not found is not counted as missed."""
