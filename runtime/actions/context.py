"""Context packs that leave a trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.actions.traces import record_trace
from runtime.condensing.snippets import queue_snippets
from runtime.condensing.summaries import queue_summary
from runtime.context.pipeline import AssembledContext, assemble_context
from runtime.context.request import ContextRequest
from runtime.core.trace_requests import describe_ask
from runtime.core.traces import ToolCall, TraceDraft, digest_messages, list_items

TOOLS = {
    "player": "get_player_memory",
    "session": "get_session_memory",
    "play": "session_fetch",
    "cast": "npc_profile",
    "canon": "lore_search",
    "episodes": "search_episodes",
}
"""What a step is called where models and games call it."""


def make_context(ask: ContextRequest) -> tuple[AssembledContext, str | None]:
    """The pack of a turn and the id of its trace, if traces are kept. Raises what `assemble_context` raises."""
    context = assemble_context(ask)
    trace_id = record_trace(draft_pack_trace(ask, context))
    queue_condensing(ask, context)
    return context, trace_id


def queue_condensing(ask: ContextRequest, context: AssembledContext) -> None:
    """What a model may condense of a pack that is done waits for a worker. Nothing is asked of a model here."""
    queue_snippets(ask.tenant_id, context)
    queue_summary(ask.tenant_id, context)


def draft_pack_trace(ask: ContextRequest, context: AssembledContext, **more: Any) -> TraceDraft:
    """The trace of a pack; `more` are members that an answer adds or tells otherwise."""
    pack = context.pack
    request = {
        **describe_ask(ask),
        "prompt_version": pack.prompt_version,
        "prompt_source": pack.prompt_source,
        "persona_version": context.persona_version,
    }
    members: dict[str, Any] = {
        "kind": "pack",
        "steps_ms": context.steps_ms,
        "degraded": context.degraded,
        **more,
    }
    return TraceDraft(
        tenant_id=ask.tenant_id,
        world_id=ask.world_id,
        request=request,
        releases=context.releases,
        embedder=context.embedder,
        items=list_items(pack),
        tokens_by_layer=pack.tokens_by_layer,
        tokens=pack.tokens,
        limit=pack.limit,
        messages_digest=digest_messages(pack.messages),
        language=pack.language,
        user_id=ask.user_id,
        session_id=ask.session_id,
        npc_id=ask.npc_id,
        party_id=ask.party_id,
        scene_id=ask.scene_id,
        message_id=ask.message_id,
        tool_calls=_list_calls(ask, context, context.degraded),
        **members,
    )


def _list_calls(ask: ContextRequest, context: AssembledContext, degraded: Sequence[str]) -> tuple[ToolCall, ...]:
    is_cold = any(code.startswith("session_memory") for code in degraded)
    talk = "degraded" if is_cold else "rebuilt" if context.is_talk_rebuilt else "success"
    return tuple(
        ToolCall(
            name=TOOLS[step],
            status=talk if step == "session" else "success",
            npc_id=ask.npc_id,
            latency_ms=round(latency, 3),
        )
        for step, latency in context.steps_ms.items()
        if step in TOOLS
    )
