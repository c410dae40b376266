from __future__ import annotations

from dataclasses import replace

import pytest

from runtime.context.core.pack import Item, Provenance
from runtime.traces.core.traces import CanonCheck, ModelCall, ToolCall, TracedItem, TraceDraft
from tests.runtime.sessions.conftest import Talk

SAID = "I keep a vial of zirconium."


def make_item(layer, id_, text, *, evidence=(), release=None, reason=None, source="episode", **scores):
    provenance = Provenance(source, {"slug": id_}, release, tuple(evidence), scores)
    rendered = "" if reason else f"- {text}"
    return TracedItem(layer, Item(id_, text, provenance), 7, rendered, reason)


def make_draft(world, *, query="What do I carry?", items=(), **more):
    """A chat turn that found canon, an episode, and cut another passage."""
    draft = TraceDraft(
        kind="pack",
        tenant_id=world.tenant_id,
        world_id=world.pk,
        request={
            "query": query, "npc_id": "oda", "session_id": "s", "prompt_version": 1,
            "prompt_source": "en/context.yaml@abc", "persona_version": 2, "alias": "latest",
        },
        releases={"lore": 3},
        embedder="hashing/256",
        items=(
            make_item("lore", "lore:1", "The gate is shut.", release=3, source="lore", score=0.9),
            *items,
            make_item("lore", "lore:2", "The moat is dry.", release=3, source="lore", reason="layer_full"),
        ),
        tokens_by_layer={"lore": 20},
        tokens=120,
        limit=1800,
        messages_digest="d" * 64,
        steps_ms={"canon": 3.25},
        language="en",
        user_id="player-1",
        session_id="s",
        npc_id="oda",
        tool_calls=(ToolCall("get_session_memory", "success", "oda"),),
    )  # fmt: skip
    return replace(draft, **more)


def make_chat(world, **more):
    """An answered turn that canon had to correct."""
    contradiction = {"claim": "The gate is open.", "explanation": "It is shut.", "sources": [{"slug": "gate"}]}
    defaults = {
        "kind": "chat",
        "model_calls": (ModelCall("m", "stop", 100, 20), ModelCall("m", "stop", 130, 30)),
        "cost": 0.25,
        "checks": (
            CanonCheck(follows_language=True, language="en", claims=1, contradictions=(contradiction,)),
            CanonCheck(follows_language=True, language="en", claims=1),
        ),
        "degraded": ("lore_empty",),
    }
    return make_draft(world, **{**defaults, **more})


@pytest.fixture
def world(transactional_db, world):
    """The world, for threads of their own to see."""
    return world


@pytest.fixture
def talk(world):
    return Talk(world)
