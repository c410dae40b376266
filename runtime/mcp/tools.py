"""What each tool does: arguments that fit the contract in, JSON that fits it out. Runs on a worker thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from episodes.art.api.cards import render_suggestion
from episodes.art.selectors.cards import suggest_art
from episodes.campaigns.api.rendering import render_session
from episodes.campaigns.selectors.campaigns import SESSION_SUMMARIES, get_party_state
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.expansion import expand_question
from episodes.events.selectors.readers import make_graph_reader
from episodes.events.selectors.recall import embed_event_query, recall_events
from episodes.events.selectors.talks import list_recent_texts
from episodes.npc_memory.api import render_npc
from episodes.npc_memory.selectors.memory import get_npc
from factcheck.claims.actions.claims import assert_claim
from factcheck.claims.api.assertions import render_assertion
from knowledge.api.rendering import render_search
from knowledge.canon.core.names import storable_text
from knowledge.canon.models import PUBLIC, AliasName
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.canon.selectors.rules import find_rule
from knowledge.canon.selectors.search import check_query, search_lore
from knowledge.errors import UnknownAlias, UnknownDomain
from knowledge.graph.core.owners import find_play_owners
from knowledge.graph.core.views import GraphReader
from knowledge.graph.errors import EntityUnknown
from knowledge.graph.selectors.entities import find_entities
from knowledge.graph.selectors.neighbourhood import get_neighbourhood
from knowledge.graph.selectors.readers import make_reader, make_world_reader
from memoryproject.rest.errors import ReleaseAndAlias
from npcs.errors import PartyAndUser
from npcs.profiles.api.npcs import read_towards
from runtime.config import load_budgets
from runtime.context.request import build_request
from runtime.mcp.rendering import render_events, render_graph, render_lookup
from runtime.traces.actions.packs import make_context
from tenancy.core.caller import WorldRef
from tenancy.models import Scope
from tenancy.selectors import get_end_user

LORE, SRD = "lore", "srd"
OTHER_ENTITIES = 3
TOLD_ENTITIES = 40
"""A model reads the answer: two steps around a city would fill its context."""
EVENTS_SHOWN = 5
PROMPT_TOKENS = 2000
"""A tool's answer stands in a model's context as it is: layers with their provenance would take it thrice over."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool in the world that it is about."""

    world: WorldRef
    arguments: Mapping[str, Any]
    request_id: str
    scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """Texts for a model to read, each once, and what a program may want to know beside them."""

    texts: tuple[str, ...]
    meta: Mapping[str, Any]


def look_up_rule(call: ToolCall) -> dict[str, Any]:
    """`rules_lookup`. Raises InvalidQuery, UnknownRule and what reading a release raises."""
    release, audience = _read_as(call, call.arguments, SRD)
    found = find_rule(
        release,
        term=call.arguments.get("term"),
        rule_id=call.arguments.get("rule_id"),
        audience=audience,
        language=call.arguments.get("language"),
    )
    return {**render_lookup(found, release)}


def search(call: ToolCall) -> dict[str, Any]:
    """`lore_search`. Raises InvalidQuery, UnknownTag and what reading a release raises."""
    filters = call.arguments.get("filters", {})
    release, audience = _read_as(call, filters, LORE)
    result = search_lore(
        release,
        call.arguments["query"],
        k=call.arguments.get("k"),
        audience=audience,
        tags=filters.get("tags", ()),
        language=filters.get("language"),
        type=filters.get("type"),
    )
    return dict(render_search(result))


def look_up_entity(call: ToolCall) -> dict[str, Any]:
    """`graph_lookup`. Raises EntityUnknown, UnknownConversation, UnknownCampaign and what reading a release raises."""
    reader, release = _make_graph_reader(call)
    name = storable_text(call.arguments["name"])
    found = find_entities(reader, name, kind=call.arguments.get("kind"), limit=OTHER_ENTITIES + 1)
    if not found:
        where = "play" if release is None else f"release {release.number}"
        raise EntityUnknown(f"There is no entity {name[:100]!r} in {where}.")
    near = get_neighbourhood(
        reader, found[0].entity_id, depth=call.arguments.get("depth", 1), max_entities=TOLD_ENTITIES
    )
    return {**render_graph(near, found[1:], release)}


def _make_graph_reader(call: ToolCall) -> tuple[GraphReader, ResolvedRelease | None]:
    """Canon and the play that the call names, as REST reads them; no release where a world has play alone."""
    arguments = {
        name: storable_text(value) if isinstance(value, str) else value for name, value in call.arguments.items()
    }
    is_npc = "npc_id" in arguments
    owner_filter = {"tenant_id": call.world.tenant_id, "world_id": call.world.world_id}
    owners = find_play_owners(arguments, **owner_filter)
    try:
        release, audience = _read_as(call, arguments, LORE)
    except (UnknownDomain, UnknownAlias):
        if not owners or "release" in arguments or "alias" in arguments:
            raise
        audience = get_npc_audience(call.world.world_id, arguments["npc_id"]) if is_npc else (PUBLIC,)
        return make_world_reader(**owner_filter, audience=audience, is_npc=is_npc, owners=owners), None
    return make_reader(release, audience=audience, is_npc=is_npc, owners=owners), release


def check_claim_tool(call: ToolCall) -> dict[str, Any]:
    """`lore_assert`. Raises InvalidClaim and what reading a release raises."""
    arguments = call.arguments
    _check_release_or_alias(arguments)
    domain = arguments.get("domain", LORE)
    result = assert_claim(
        tenant_id=call.world.tenant_id,
        world_id=call.world.world_id,
        claim=arguments["fact"],
        domain=domain,
        npc_id=arguments.get("npc_id"),
        release=arguments.get("release"),
        alias=arguments.get("alias", AliasName.LATEST),
        session_id=arguments.get("session_id"),
        request_id=call.request_id,
    )
    return render_assertion(arguments["fact"], domain, result)


def read_npc(call: ToolCall) -> dict[str, Any]:
    """`npc_profile`, with secrets for keys of the engine only. Raises UnknownNpc."""
    arguments = {name: storable_text(value) for name, value in call.arguments.items()}
    if "party_id" in arguments and "user_id" in arguments:
        raise PartyAndUser("Send party_id or user_id, not both.")
    npc = get_npc(
        tenant_id=call.world.tenant_id,
        world_id=call.world.world_id,
        npc_id=arguments["npc_id"],
        with_secrets=Scope.ENGINE in call.scopes,
        towards=read_towards(arguments),
    )
    return render_npc(npc)


def suggest_for_scene(call: ToolCall) -> dict[str, Any]:
    """`art_suggest`."""
    suggestion = suggest_art(
        tenant_id=call.world.tenant_id,
        world_id=call.world.world_id,
        scene_id=storable_text(call.arguments["scene_id"]),
        campaign_id=call.arguments.get("campaign_id"),
        query=storable_text(call.arguments["query"]) if "query" in call.arguments else None,
    )
    return {**render_suggestion(suggestion)}


def fetch_session(call: ToolCall) -> dict[str, Any]:
    """`session_fetch`. Raises UnknownParty, UnknownNpc."""
    state = get_party_state(
        tenant_id=call.world.tenant_id,
        world_id=call.world.world_id,
        party_id=call.arguments["party_id"],
        k=call.arguments.get("k", SESSION_SUMMARIES),
        npc_id=call.arguments.get("npc_id"),
    )
    return dict(render_session(state))


def search_events(call: ToolCall) -> dict[str, Any]:
    """`event_search`. Raises UnknownEndUser, InvalidQuery."""
    query = storable_text(call.arguments["query"])
    check_query(query)
    user = get_end_user(tenant_id=call.world.tenant_id, external_id=call.arguments["user_id"])
    conversation_id = call.arguments.get("conversation_id")
    filters = EventFilters(
        tenant_id=user.tenant_id,
        end_user_id=user.pk,
        world_id=call.world.world_id,
        npc_id=call.arguments.get("npc_id"),
        conversation_id=conversation_id,
        graph=make_graph_reader(
            tenant_id=user.tenant_id, world_id=call.world.world_id, npc_id=call.arguments.get("npc_id")
        ),
    )
    talk = list_recent_texts(
        tenant_id=user.tenant_id,
        end_user_id=user.pk,
        conversation_id=conversation_id,
        world_id=filters.world_id,
    )
    found = recall_events(
        filters,
        query=query,
        talk=talk,
        embed=embed_event_query,
        expand=expand_question,
        limit=call.arguments.get("k", EVENTS_SHOWN),
    )
    return {**render_events(query, found)}


def assemble_pack(call: ToolCall) -> PromptAnswer:
    """`context_pack`, with secrets for keys of the engine only: at most 2,000 tokens unless more are asked for.

    Raises what assembling raises.
    """
    asked: dict[str, Any] = {
        name: storable_text(value) for name, value in call.arguments.items() if name != "max_tokens"
    }
    total = load_budgets().to_budget(call.arguments.get("model")).total
    asked["budget"] = {"total": call.arguments.get("max_tokens", min(total, PROMPT_TOKENS))}
    context, trace_id = make_context(build_request(call.world, asked, with_secrets=Scope.ENGINE in call.scopes))
    meta = {
        "memory37/language": context.pack.language,
        "memory37/tokens": context.pack.tokens,
        "memory37/releases": dict(context.releases),
        "memory37/degraded": list(context.degraded),
        "memory37/trace_id": trace_id,
    }
    return PromptAnswer(tuple(message.content for message in context.pack.messages), meta)


TOOLS: Mapping[str, Callable[[ToolCall], dict[str, Any] | PromptAnswer]] = {
    "rules_lookup": look_up_rule,
    "lore_search": search,
    "lore_assert": check_claim_tool,
    "graph_lookup": look_up_entity,
    "npc_profile": read_npc,
    "art_suggest": suggest_for_scene,
    "session_fetch": fetch_session,
    "event_search": search_events,
    "context_pack": assemble_pack,
}


def _read_as(call: ToolCall, reading: Mapping[str, Any], domain: str) -> tuple[ResolvedRelease, tuple[str, ...]]:
    """The release to read, and what its reader may know."""
    _check_release_or_alias(reading)
    world_id = call.world.world_id
    release = resolve_release(
        world_id=world_id,
        domain=reading.get("domain", domain),
        alias=reading.get("alias", AliasName.LATEST),
        release=reading.get("release"),
        session_id=reading.get("session_id"),
    )
    npc_id = reading.get("npc_id")
    return release, (PUBLIC,) if npc_id is None else get_npc_audience(world_id, npc_id, release=release)


def _check_release_or_alias(reading: Mapping[str, Any]) -> None:
    if "release" in reading and "alias" in reading:
        raise ReleaseAndAlias("Send release or alias, not both.")
