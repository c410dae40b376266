"""What talking to NPCs takes and answers by REST."""

from __future__ import annotations

from typing import Annotated

from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from typing_extensions import TypedDict

from episodes.conversations.api.shapes import BCP47
from episodes.errors import UnknownParty
from episodes.models import MemoryType
from factcheck.posting.shapes import MessageExtraction
from memoryproject.chat_model import ModelRefused, ModelUnavailable
from memoryproject.rest.forms import form, text
from memoryproject.rest.schemas import SLUG
from memoryproject.rest.typed_dicts import member
from npcs.errors import UnknownNpc
from runtime.context.request import MAX_MESSAGE_LENGTH
from runtime.errors import BudgetTooSmall, ModelNotConfigured, SiteConflict, UnknownScene

CHAT_BODY = form(
    {
        "npc_id": text(120, "Who is spoken to."),
        "session_id": text(200, "The play session: each NPC remembers its own talk in it."),
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_MESSAGE_LENGTH,
            "description": "What the player says, word for word.",
        },
    },
    {
        "tenant_id": {"type": "string", "maxLength": 63, "pattern": SLUG, "description": "As X-Tenant-ID."},
        "site_id": {"type": "string", "maxLength": 63, "pattern": SLUG, "description": "As X-Site-ID."},
        "user_id": text(200, "The tenant's own id of the player. Left out, the session stands for the player."),
        "client_message_id": text(200, "The client's id: the same turn again gets the same reply."),
        "party_id": text(120, "The party that the player is of."),
        "scene_id": text(120, "The scene that is being played. Takes `party_id`."),
        "location_id": text(160, "Where it is being played."),
        "mood": text(
            40, "The player's mood now, in your own word: remembered emotions of another mood count for less."
        ),
        "memory_type": {
            "type": "string",
            "enum": list(MemoryType.values),
            "description": "What the query is about, where the game knows; an `emotion` is remembered with its mood.",
        },
        "language": {
            "type": "string",
            "maxLength": 35,
            "pattern": BCP47,
            "description": "BCP 47, where the query's letters do not tell.",
        },
        "stream": {"type": "boolean", "description": "Send the reply as server-sent events, as it is said."},
    },
    dependentRequired={"scene_id": ["party_id"]},
)


class ChatSource(TypedDict):
    """Where canon says so."""

    slug: str
    title: str
    excerpt: str
    release: int


class Contradiction(TypedDict):
    """A sentence of the reply that canon denies."""

    claim: str
    explanation: str
    sources: list[ChatSource]


class CanonCheck(TypedDict):
    """What canon says to the reply."""

    contradictions: Annotated[list[Contradiction], member([])]
    asked_again: Annotated[bool, member(False, "Whether a first reply was withdrawn.")]


class Usage(TypedDict):
    """What the turn cost; null where the model's server does not count."""

    prompt_tokens: Annotated[int | None, member(1431)]
    completion_tokens: Annotated[int | None, member(12)]
    cost: Annotated[float | None, member(0.00042, "By the prices in the settings.")]


class Chat(TypedDict):
    """An NPC's reply."""

    session_id: Annotated[str, member("session-abc123")]
    npc_id: Annotated[str, member("li-shen")]
    conversation_id: Annotated[int, member(12)]
    message_id: Annotated[int, member(91, "Of what the player said.")]
    reply_message_id: Annotated[int, member(92)]
    reply: Annotated[str, member("Whoever pays the toll may cross.")]
    language: Annotated[str, member("en")]
    canon: Annotated[CanonCheck | None, member(description="Null for a turn that was answered before.")]
    degraded: Annotated[list[str], member([])]
    extraction: Annotated[
        MessageExtraction, member({"facts": [], "corrections": []}, "What the player's words say about the player.")
    ]
    trace_id: Annotated[
        str | None,
        member("0198c2d4-6c53-7a4f-9d0e-1f6f0e7a5b21", "What was found, told, cut and said: `GET traces/{id}`."),
    ]
    usage: Usage


ASKED = {
    "npc_id": "li-shen",
    "session_id": "session-abc123",
    "user_id": "player-1",
    "query": "May I cross the bridge tonight?",
}
CHAT_CODES = (
    SiteConflict,
    UnknownNpc,
    UnknownParty,
    UnknownScene,
    BudgetTooSmall,
    ModelNotConfigured,
    ModelUnavailable,
    ModelRefused,
)
STREAM = OpenApiResponse(
    str,
    examples=[
        OpenApiExample(
            "events",
            'event: heard\ndata: {"conversation_id": 12, "message_id": 91}\n\n'
            'event: delta\ndata: {"text": "Whoever pays the toll "}\n\n'
            'event: delta\ndata: {"text": "may cross."}\n\n',
        )
    ],
)
"""How OpenAPI shows an event stream: a text; what it holds is told in `EVENTS`."""
EVENTS = (
    "With `stream` (or `Accept: text/event-stream`) the answer is a stream of events: `heard` (`message_id`), `delta` "
    "(`text`, the next words), `withdrawn` (`reason`, one of contradiction, language, answered: the words so far may "
    "not stand, the reply begins anew), `answer` (the document below) and, where it fails on the way, `error` (a "
    "problem document)."
)
