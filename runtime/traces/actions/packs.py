"""Context packs that leave a trace."""

from __future__ import annotations

from typing import Any

from runtime.condensing.snippets import queue_snippets
from runtime.condensing.summaries import queue_summary
from runtime.context.pipeline import AssembledContext, assemble_context
from runtime.context.request import ContextRequest
from runtime.traces.actions.traces import record_trace
from runtime.traces.core.requests import describe_request
from runtime.traces.core.traces import ToolCall, TraceDraft, digest_messages, list_items

TOOLS = {
    "player": "get_player_memory",
    "session": "get_session_memory",
    "play": "session_fetch",
    "cast": "npc_profile",
    "canon": "lore_search",
    "episodes": "search_episodes",
}
"""What a step is called where models and games call it."""


def make_context(request: ContextRequest) -> tuple[AssembledContext, str | None]:
    """The pack of a turn and the id of its trace, if traces are kept. Raises what `assemble_context` raises."""
    context = assemble_context(request)
    trace_id = record_trace(draft_pack_trace(context))
    queue_condensing(context)
    return context, trace_id


def queue_condensing(context: AssembledContext) -> None:
    """What a model may condense of a pack that is done waits for a worker. Nothing is asked of a model here."""
    queue_snippets(context.request.tenant_id, context)
    queue_summary(context.request.tenant_id, context)


def draft_pack_trace(context: AssembledContext, **more: Any) -> TraceDraft:
    """The trace of a pack; `more` are members that an answer adds or tells otherwise."""
    request, pack = context.request, context.pack
    described = {
        **describe_request(request),
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
        tenant_id=request.tenant_id,
        world_id=request.world_id,
        request=described,
        releases=context.releases,
        embedder=context.embedder,
        items=list_items(pack),
        tokens_by_layer=pack.tokens_by_layer,
        tokens=pack.tokens,
        limit=pack.limit,
        messages_digest=digest_messages(pack.messages),
        language=pack.language,
        user_id=request.user_id,
        session_id=request.session_id,
        npc_id=request.npc_id,
        party_id=request.party_id,
        scene_id=request.scene_id,
        message_id=request.message_id,
        tool_calls=_list_calls(context),
        **members,
    )


def _list_calls(context: AssembledContext) -> tuple[ToolCall, ...]:
    is_cold = any(code.startswith("session_memory") for code in context.degraded)
    talk = "degraded" if is_cold else "rebuilt" if context.is_talk_rebuilt else "success"
    return tuple(
        ToolCall(
            name=TOOLS[step],
            status=talk if step == "session" else "success",
            npc_id=context.request.npc_id,
            latency_ms=round(latency, 3),
        )
        for step, latency in context.steps_ms.items()
        if step in TOOLS
    )
