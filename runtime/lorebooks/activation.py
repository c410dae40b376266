"""An activation as a caller asks for it: books that it sends, a chat that it sends or has posted, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from episodes.selectors.conversations import get_conversation, list_messages
from knowledge.lorebooks.activation.budget import TokenCounter, estimate_tokens
from knowledge.lorebooks.activation.engine import Activation, activate
from knowledge.lorebooks.activation.inputs import (
    ActivationDialect,
    ActivationSettings,
    BookKind,
    BoundBook,
    Chat,
    ChatMessage,
)
from knowledge.lorebooks.activation.preview import DialectDifference, compare_activations
from knowledge.lorebooks.activation.timed_state import TimedState
from knowledge.lorebooks.core.vocabulary import ScanSource
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.files import read_document
from knowledge.lorebooks.json_text import check_nesting
from knowledge.text.tokens import count_tokens
from tenancy.core.caller import WorldRef

MAX_MESSAGES = 1000
"""As many as are ever scanned."""
DEFAULT_MESSAGE_LIMIT = 100
BOTH = "both"
COUNTERS: Mapping[str, TokenCounter] = {"o200k": count_tokens, "estimate": estimate_tokens}
_SPEAKERS = {"user": ("user", "User"), "assistant": ("char", "Assistant")}
"""Role to the macro that names the speaker, and the name without it."""


@dataclass(frozen=True, slots=True)
class ActivationOutcome:
    """What came of it in each dialect asked for; with both of them, what they disagree on."""

    activations: tuple[Activation, ...]
    differences: tuple[DialectDifference, ...] = ()


def run_activation(world: WorldRef, body: Mapping[str, Any]) -> ActivationOutcome:
    """The outcome of a body of the form of `shapes.BODY`. Writes nothing.

    Raises WorldInfoInvalid and CardInvalid, which name the book that cannot be read, and UnknownConversation.
    """
    books = [_read_book(item, place) for place, item in enumerate(body["books"])]
    settings = _read_settings(body)
    chat = _read_chat(world, body, settings.macros)
    state = TimedState.from_json(body.get("state"))
    wanted = body.get("dialect", ActivationDialect.FAITHFUL.value)
    dialects = list(ActivationDialect) if wanted == BOTH else [ActivationDialect(wanted)]
    activations = tuple(
        activate(
            books, chat, replace(settings, dialect=dialect), state, body.get("seed", 0),
            rolls=body.get("rolls", ()), count=COUNTERS[body.get("tokenizer", "o200k")],
        )
        for dialect in dialects
    )  # fmt: skip
    return ActivationOutcome(activations, compare_activations(*activations) if len(activations) == 2 else ())


def _read_book(item: Mapping[str, Any], place: int) -> BoundBook:
    check_nesting(item["document"], WorldInfoInvalid)
    book = read_document(item["document"]).book
    return BoundBook(
        book, BookKind(item.get("kind", BookKind.GLOBAL.value)), item.get("name") or book.name or f"{place}"
    )


def _read_settings(body: Mapping[str, Any]) -> ActivationSettings:
    given = dict(body.get("settings", {}))
    tags = given.pop("character_tags", None)
    return ActivationSettings(
        **given,
        character_tags=None if tags is None else frozenset(tags),
        macros=body.get("macros", {}),
        external=frozenset(body.get("external", ())),
        flags=body.get("flags"),
        dispositions=body.get("dispositions"),
    )


def _read_chat(world: WorldRef, body: Mapping[str, Any], macros: Mapping[str, str]) -> Chat:
    sources = {ScanSource(f"match_{name}"): text for name, text in body.get("sources", {}).items()}
    if "conversation_id" in body:
        messages = _list_posted(
            world, body["conversation_id"], body.get("message_limit", DEFAULT_MESSAGE_LIMIT), macros
        )
    else:
        messages = [ChatMessage(item["text"], item.get("name", "")) for item in body["messages"]]
    return Chat(tuple(messages), sources, tuple(body.get("injections", ())))


def _list_posted(world: WorldRef, conversation_id: int, limit: int, macros: Mapping[str, str]) -> list[ChatMessage]:
    """The last messages of a conversation of this world, without what was forgotten and what the system said."""
    conversation = get_conversation(tenant_id=world.tenant_id, conversation_id=conversation_id, world_id=world.world_id)
    page = list_messages(conversation, before=_AFTER_ALL, limit=limit)
    return [
        ChatMessage(message.content, macros.get(_SPEAKERS[message.role][0], _SPEAKERS[message.role][1]))
        for message in page.messages
        if message.role in _SPEAKERS and message.forgotten_at is None
    ]


_AFTER_ALL = 2**31 - 1


def render_outcome(outcome: ActivationOutcome) -> dict[str, Any]:
    """The outcome as JSON."""
    return {
        "activations": [
            {
                "dialect": activation.trace.dialect,
                "placements": activation.placements.as_json(),
                "state": activation.state.as_json(),
                "trace": activation.trace.as_json(),
            }
            for activation in outcome.activations
        ],
        "differences": [asdict(difference) for difference in outcome.differences],
    }


def list_dialects() -> Sequence[str]:
    """What a caller may ask for."""
    return (*(dialect.value for dialect in ActivationDialect), BOTH)
