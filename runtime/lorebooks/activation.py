"""An activation as a caller asks for it: books that it sends, a chat that it sends or has posted, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from episodes.conversations.selectors.conversations import get_conversation, list_messages
from episodes.models import Conversation
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
from runtime.lorebooks.timed_states import keep_timed_state, load_timed_state
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
    is_state_kept: bool = False
    """Whether the timed effects stand with the conversation now."""


@dataclass(frozen=True, slots=True)
class _Talk:
    """The chat, and where it comes from if it was posted here."""

    chat: Chat
    conversation: Conversation | None = None
    place: int = 0  # the last one that was read
    read_ids: tuple[int, ...] = ()


def run_activation(world: WorldRef, body: Mapping[str, Any], *, can_write: bool = False) -> ActivationOutcome:
    """The outcome of a body of the form of `bodies.BODY`.

    A conversation has its timed effects with it: they are read here, and kept if the caller may write. Who sends a
    `state` keeps it themselves. Raises WorldInfoInvalid and CardInvalid, which name the book that cannot be read,
    UnknownConversation, ActivationTooLarge.
    """
    books = [_read_book(item, place) for place, item in enumerate(body["books"])]
    settings = _read_settings(body)
    talk = _read_talk(world, body, settings.macros)
    stored_for = talk.conversation if "state" not in body else None
    wanted = body.get("dialect", ActivationDialect.FAITHFUL.value)
    dialects = list(ActivationDialect) if wanted == BOTH else [ActivationDialect(wanted)]
    states = [
        TimedState.from_json(body.get("state"))
        if stored_for is None
        else load_timed_state(stored_for, dialect, place=talk.place)
        for dialect in dialects
    ]
    activations = tuple(
        activate(
            books, talk.chat, replace(settings, dialect=dialect), state, body.get("seed", 0),
            rolls=body.get("rolls", ()), count=COUNTERS[body.get("tokenizer", "o200k")],
        )
        for dialect, state in zip(dialects, states, strict=True)
    )  # fmt: skip
    keeps = stored_for is not None and can_write and body.get("keep_state", True) and not settings.is_dry_run
    is_kept = stored_for is not None and keeps and all(
        keep_timed_state(stored_for, dialect, place=talk.place, before=before, after=each.state, read_ids=talk.read_ids)
        for dialect, before, each in zip(dialects, states, activations, strict=True)
    )  # fmt: skip
    differences = compare_activations(*activations) if len(activations) == 2 else ()
    return ActivationOutcome(activations, differences, is_kept)


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


def _read_talk(world: WorldRef, body: Mapping[str, Any], macros: Mapping[str, str]) -> _Talk:
    sources = {ScanSource(f"match_{name}"): text for name, text in body.get("sources", {}).items()}
    injections = tuple(body.get("injections", ()))
    if "conversation_id" not in body:
        sent = tuple(ChatMessage(item["text"], item.get("name", "")) for item in body["messages"])
        return _Talk(Chat(sent, sources, injections))
    conversation = get_conversation(
        tenant_id=world.tenant_id, conversation_id=body["conversation_id"], world_id=world.world_id
    )
    page = list_messages(conversation, before=_AFTER_ALL, limit=body.get("message_limit", DEFAULT_MESSAGE_LIMIT))
    living = [each for each in page.messages if each.role in _SPEAKERS and each.forgotten_at is None]
    messages = tuple(ChatMessage(each.content, _name_speaker(each.role, macros)) for each in living)
    place = page.messages[-1].seq if page.messages else 0
    chat = Chat(messages, sources, injections, total=place)
    return _Talk(chat, conversation, place, tuple(each.pk for each in living))


def _name_speaker(role: str, macros: Mapping[str, str]) -> str:
    macro, name = _SPEAKERS[role]
    return macros.get(macro, name)


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
        "is_state_kept": outcome.is_state_kept,
    }


def list_dialects() -> Sequence[str]:
    """What a caller may ask for."""
    return (*(dialect.value for dialect in ActivationDialect), BOTH)
