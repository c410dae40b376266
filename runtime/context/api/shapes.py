"""What asking for a context pack takes and answers by REST."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import TypedDict

from episodes.errors import UnknownConversation, UnknownParty
from knowledge.api.parameters import MAX_RELEASE_NUMBER
from knowledge.errors import FactKeysMissing, UnknownAlias, UnknownRelease
from memoryproject.rest.forms import form, text
from memoryproject.rest.parameters import MAX_ID
from memoryproject.rest.typed_dicts import Uuid, member
from npcs.errors import UnknownNpc
from runtime.context.core.pack import LAYERS, CutReason
from runtime.context.request import MAX_MESSAGE_LENGTH
from runtime.errors import BudgetTooSmall, UnknownScene

MAX_TOKENS = 100_000


def _number(description: str, least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


LAYER_BUDGET = form(
    {},
    {
        "max_tokens": _number("At most so many tokens; 0 leaves the layer out.", 0, MAX_TOKENS),
        "min_tokens": _number("So many are filled before other layers get more than their own minimum.", 0, MAX_TOKENS),
        "max_items": _number("At most so many items.", 0, 100),
        "priority": _number("The higher is filled first.", 0, 100),
    },
    title="Layer budget",
)
CONTENT = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_MESSAGE_LENGTH,
    "pattern": r"[^\s\x00-\x1f\x7f-\x9f]",
    "description": "What the player says or does now. It is handed to the model as it is.",
}
BODY = form(
    {},
    {
        "content": CONTENT,
        "message": {**CONTENT, "description": "The same as `content`, until 1.0.", "deprecated": True},
        "message_id": _number("The message, where it was posted to its conversation before.", 1, MAX_ID),
        "user_id": text(200, "The player, by your own id. Without it nothing about a player is told."),
        "conversation_id": _number("The talk to go on with; without it, the newest with this NPC.", 1, MAX_ID),
        "session_id": text(200, "The play session; also chooses the canary's share."),
        "npc_id": text(120, "Who speaks. The pack holds only what this NPC may know."),
        "party_id": text(120, "The party: its last scenes and its flags are told."),
        "scene_id": text(120, "The scene, once something of it was posted. Takes `party_id`."),
        "location_id": text(200, "Where it happens: lore about it comes first."),
        "mood": text(40, "The mood now; remembered feelings of another mood count for less."),
        "language": text(
            35, "The language of the frames, as a BCP 47 tag; else the session's, the message's, the world's."
        ),
        "model": text(
            120,
            "The chat model that will read the pack: its budget, where `config/prompt_budgets.yaml` has one for it.",
        ),
        "release": _number("A release of lore by number. Not together with `alias`.", 1, MAX_RELEASE_NUMBER),
        "alias": text(16, default="latest"),
        "budget": form(
            {},
            {
                "total": _number("Tokens of the whole pack.", 1, MAX_TOKENS),
                "layers": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": dict.fromkeys(LAYERS, LAYER_BUDGET),
                },
            },
            description="Other budgets than those of `config/prompt_budgets.yaml`, for this pack.",
        ),
    },
    dependentRequired={"scene_id": ["party_id"], "conversation_id": ["user_id"]},
    oneOf=[{"required": ["content"]}, {"required": ["message"]}],
    **{"not": {"required": ["release", "alias"]}},
)


class Provenance(TypedDict):
    """Where a line comes from."""

    source: Annotated[str, member("lore", "lore, srd, fact, episode, conversation, pending, prompt, request …")]
    ids: Annotated[
        dict[str, Any], member({"slug": "oda-marr", "passage_id": 88, "version": "1.0.0"}, "Whatever finds it again.")
    ]
    release: Annotated[int | None, member(3)]
    evidence: Annotated[list[int], member([], "The messages that it rests on.")]
    scores: Annotated[dict[str, float | None], member({"score": 0.98, "bm25": 7.1, "vector": 0.41})]


class PackItem(TypedDict):
    """One thing that is told."""

    id: Annotated[str, member("lore:88")]
    text: Annotated[str, member("Oda Marr rings the ferry bell at dusk.", "As it was found.")]
    rendered: Annotated[str, member("- Oda Marr: Oda Marr rings the ferry bell at dusk.", "As the model reads it.")]
    tokens: Annotated[int, member(16)]
    protected: Annotated[bool, member(False, "Never cut.")]
    provenance: Provenance


class PackLayer(TypedDict):
    """What one layer tells."""

    name: Annotated[str, member("lore", f"One of {', '.join(LAYERS)}.")]
    tokens: Annotated[int, member(96, "With its frame.")]
    items: list[PackItem]


class CutItem(TypedDict):
    """Something that is left out."""

    layer: str
    id: str
    tokens: int
    reason: CutReason
    provenance: Provenance


class ChatMessage(TypedDict):
    """A message for the chat model."""

    role: Annotated[str, member("system", choices=("system", "user"))]
    content: Annotated[str, member("You are the narrator of this world. …")]


class Context(TypedDict):
    """A context pack."""

    language: Annotated[str, member("en", "Of the frames: en, ru, ar or zh.")]
    prompt_version: Annotated[int, member(1)]
    prompt_source: Annotated[str, member("en/context.yaml@0580c0f4dba0", "File and hash of the frames.")]
    releases: Annotated[dict[str, int], member({"lore": 3, "srd": 1}, "Domain to the release that was read.")]
    persona_version: Annotated[
        int | None, member(2, "Of the NPC that speaks; 0 where it has no profile, null for the narrator.")
    ]
    embedder: Annotated[str, member("hashing-v1/1024")]
    budget: Annotated[int, member(1200, "The most tokens that the messages may take.")]
    tokens: Annotated[int, member(812, "What they take (o200k).")]
    layers: list[PackLayer]
    cut: Annotated[list[CutItem], member([])]
    messages: Annotated[list[ChatMessage], member(description="To be sent to a chat model as they are.")]
    degraded: Annotated[
        list[str],
        member(
            [], "What the pack had to do without: lore_empty, lore_unpublished, user_unknown, or a code of a search."
        ),
    ]
    trace_id: Annotated[
        Uuid | None, member("019caa63-6b40-7d11-9c1e-3f0a5a4c9b02", "Of its trace; null where none is kept.")
    ]


ASK = {
    "content": "Who rings the ferry bell at dusk?",
    "user_id": "player-1",
    "npc_id": "oda-marr",
    "budget": {"total": 1200},
}
CONTEXT_CODES = (
    UnknownConversation,
    UnknownNpc,
    UnknownParty,
    UnknownScene,
    UnknownRelease,
    UnknownAlias,
    BudgetTooSmall,
    FactKeysMissing,
)
