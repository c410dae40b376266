"""What traces take and answer by REST."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from episodes.errors import InvalidSince, InvalidUntil
from memoryproject.rest.forms import form, text
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, Uuid, deprecated, member
from runtime.context.api.shapes import ChatMessage, Provenance

MAX_ITEM_ID_LENGTH = 300
MAX_NOTE_LENGTH = 2000
FEEDBACK_BODY = form(
    {
        "used_item_ids": {
            "type": "array",
            "maxItems": 500,
            "items": text(MAX_ITEM_ID_LENGTH),
            "description": "Ids of items of the pack that the answer used; empty when it used none.",
        }
    },
    {
        "thumb": {"type": "string", "enum": ["up", "down"], "description": "What somebody thought of the answer."},
        "note": {
            "type": "string",
            "maxLength": MAX_NOTE_LENGTH,
            "pattern": r"^[^\x00]*$",
            "description": "For people; goes with the words of the trace.",
        },
    },
)


class TraceSummary(TypedDict):
    """A trace without words and items."""

    trace_id: Annotated[Uuid, member("019caa63-6b40-7d11-9c1e-3f0a5a4c9b02")]
    kind: Annotated[str, member("chat", "`pack` or `chat`.")]
    created_at: Annotated[Time, member("2026-03-01T19:00:04Z")]
    user_id: Annotated[str | None, member("player-1")]
    session_id: Annotated[str | None, member("session-abc123")]
    npc_id: Annotated[str | None, member("oda-marr")]
    party_id: Annotated[str | None, member(None)]
    scene_id: Annotated[str | None, member(None)]
    message_id: Annotated[int | None, member(91, "The player's words in RAW.")]
    reply_message_id: Annotated[int | None, member(92)]
    releases: Annotated[dict[str, int], member({"lore": 3, "srd": 1})]
    embedder: Annotated[str, member("hashing-v1/1024")]
    tokens: Annotated[int, member(812)]
    budget: Annotated[int, member(1800)]
    cost: Annotated[float | None, member(0.00042)]
    contradictions: Annotated[int, member(0, "Claims of the answer that canon denies, after all tries.")]
    degraded: Annotated[list[str], member([])]
    forgotten: Annotated[bool, member(False, "The words are gone: one of the messages was forgotten.")]


class TraceList(TypedDict):
    """The newest first."""

    data: list[TraceSummary]
    next_cursor: Annotated[Uuid | None, member(None, NEXT_CURSOR)]
    traces: NotRequired[Annotated[list[TraceSummary], deprecated("data")]]
    next_before: NotRequired[Annotated[Uuid | None, deprecated("next_cursor")]]


class TracedItem(TypedDict):
    """One thing that was found."""

    layer: Annotated[str, member("lore")]
    id: Annotated[str, member("lore:88")]
    text: Annotated[str, member("Oda Marr rings the ferry bell at dusk.", "As it was found.")]
    rendered: Annotated[
        str,
        member("- Oda Marr: Oda Marr rings the ferry bell at dusk.", "As the model read it; empty where it was cut."),
    ]
    tokens: Annotated[int, member(16)]
    reason: Annotated[str | None, member(None, "Why it was cut; null where it was told.")]
    provenance: Provenance


class ToolCall(TypedDict):
    """One step that fetched something."""

    name: Annotated[str, member("lore_search")]
    status: Annotated[
        str,
        member(
            "success",
            "`success`; of session memory also `rebuilt` (Redis did not hold the talk: it came from "
            "RAW) and `degraded` (Redis did not answer).",
        ),
    ]
    npc_id: NotRequired[Annotated[str, member("oda-marr")]]
    latency_ms: NotRequired[Annotated[float, member(6.1)]]


class ModelCall(TypedDict):
    """One call of the chat model."""

    model: Annotated[str, member("some-model")]
    finish_reason: Annotated[str, member("stop")]
    prompt_tokens: Annotated[int | None, member(820)]
    completion_tokens: Annotated[int | None, member(12)]


class TracedCheck(TypedDict):
    """What was wrong with one try of a reply."""

    follows_language: Annotated[bool, member(True)]
    language: Annotated[str, member("en")]
    claims: Annotated[int, member(1)]
    contradictions: Annotated[int, member(0)]
    suspects: Annotated[int, member(0, "Claims near a statement of canon: nothing follows from them.")]
    checked_by: Annotated[str, member("rules", "The strongest part that answered: off, rules or model.")]
    judge_version: Annotated[str, member("ea57601d", "Of the judge's weights; empty where none read the reply.")]
    found_by: Annotated[list[str], member([], "For each contradiction: fields, sentences, clauses, judge or model.")]
    found: Annotated[list[dict[str, Any]], member([], "Claim, explanation and sources.")]
    near: Annotated[list[dict[str, Any]], member([], "The suspects: claim, slug, excerpt, reason.")]


class Feedback(TypedDict):
    """The newest feedback."""

    used_item_ids: Annotated[list[str], member(["lore:88"])]
    thumb: Annotated[str | None, member("up")]
    note: Annotated[str, member("Knew the bell.")]
    created_at: Annotated[Time, member("2026-03-01T19:01:00Z")]


class Trace(TraceSummary):
    """A trace with its words, as far as they are kept."""

    request_input: Annotated[
        dict[str, Any],
        member(
            {
                "query": "Who rings the ferry bell at dusk?",
                "npc_id": "oda-marr",
                "session_id": "session-abc123",
                "prompt_version": 1,
                "prompt_source": "en/context.yaml@0580c0f4dba0",
                "persona_version": 2,
            },
            "As it was asked.",
        ),
    ]
    items: Annotated[list[TracedItem], member(description="What was told, in the order of telling.")]
    cut: Annotated[list[TracedItem], member([])]
    tokens_by_layer: Annotated[dict[str, int], member({"lore": 96})]
    tool_calls: list[ToolCall]
    steps_ms: Annotated[dict[str, float], member({"canon": 6.1, "model": 812.0, "canon_check": 9.4})]
    model_calls: list[ModelCall]
    checks: list[TracedCheck]
    reply: Annotated[str | None, member("I do, every dusk.", "From RAW; null where there is none or it is forgotten.")]
    changed_message_ids: Annotated[list[int], member([], "Messages of the turn that were edited or swiped since.")]
    texts_lack: Annotated[
        str | None, member(None, "Words that were not kept: `cut_items`, `too_large` or `keys_missing`.")
    ]
    feedback: Feedback | None


class Pair(TypedDict):
    """A value then and now."""

    then: Annotated[Any, member(3)]
    now: Annotated[Any, member(4)]


class GoneItem(TracedItem):
    """An item that is not told now."""

    now: Annotated[str, member(description="The reason of a cut, or `not_found`.")]


class ChangedItem(TypedDict):
    """An item that is told otherwise now."""

    changed: Annotated[list[str], member(["text"], "Of `text`, `scores`, `tokens`.")]
    then: TracedItem
    now: TracedItem


class Differences(TypedDict):
    """What differs."""

    added: Annotated[list[TracedItem], member([])]
    gone: Annotated[list[GoneItem], member([])]
    changed: Annotated[list[ChangedItem], member([])]
    releases: Annotated[dict[str, Pair], member({})]
    values: Annotated[
        dict[str, Pair], member({}, "`tokens`, `prompt_source`, `persona_version`, `embedder`, where they differ.")
    ]


class Then(TypedDict):
    """The turn rebuilt as of then."""

    reproduced: Annotated[bool, member(True, "The messages came out again, word for word.")]
    reasons: Annotated[
        list[str],
        member(
            [],
            "Why not: `forgotten`, `words_not_kept_…`, `items_left_out`, `prompt_changed`, "
            "`budget_changed`, `release_gone`, `canon_differs`, `messages_differ`.",
        ),
    ]
    as_recorded: Annotated[
        list[str],
        member(
            ["memory_rules", "npc", "system", "user"],
            "Layers taken from the trace; all others were searched for again.",
        ),
    ]
    messages: list[ChatMessage]
    differences: Differences


class Now(TypedDict):
    """The turn as it would be now."""

    tokens: Annotated[int, member(815)]
    releases: Annotated[dict[str, int], member({"lore": 4, "srd": 1})]
    degraded: Annotated[list[str], member([])]
    messages: list[ChatMessage]


class Replay(TypedDict):
    """Both looks at a turn."""

    trace_id: Annotated[Uuid, member("019caa63-6b40-7d11-9c1e-3f0a5a4c9b02")]
    then: Then
    now: Now | None
    now_refused: Annotated[str | None, member(None, "The code for which the turn can't be asked now.")]
    differences: Annotated[Differences, member(description="From the recorded turn to now.")]


class LayerQuality(TypedDict):
    """How much of a layer got used."""

    layer: Annotated[str, member("lore")]
    shown: Annotated[int, member(160)]
    used: Annotated[int, member(96)]
    hit_rate: Annotated[float, member(0.6)]
    rerank_gain: Annotated[
        float | None,
        member(
            0.12,
            "What ordering anew was worth: the mean of 1/place as told less 1/place by the search's "
            "score, over what was used; null in layers that are not searched for.",
        ),
    ]


class Quality(TypedDict):
    """Feedback of a time, the newest of each trace."""

    rated: Annotated[int, member(40)]
    thumbs_up: Annotated[int, member(31)]
    thumbs_down: Annotated[int, member(4)]
    layers: list[LayerQuality]


SUMMARY: dict[str, Any] = {
    "trace_id": "019caa63-6b40-7d11-9c1e-3f0a5a4c9b02",
    "kind": "chat",
    "created_at": "2026-03-01T19:00:04Z",
    "user_id": "player-1",
    "session_id": "session-abc123",
    "npc_id": "oda-marr",
    "party_id": None,
    "scene_id": None,
    "message_id": 91,
    "reply_message_id": 92,
    "releases": {"lore": 3, "srd": 1},
    "embedder": "hashing-v1/1024",
    "tokens": 812,
    "budget": 1800,
    "cost": 0.00042,
    "contradictions": 0,
    "degraded": [],
    "forgotten": False,
}
TIME_CODES = (InvalidSince, InvalidUntil)
