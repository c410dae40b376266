"""Bodies and answers of edits, swipes and choices by REST."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import TypedDict

from episodes.alternatives.api import MAX_SEQ
from episodes.errors import (
    MessageEmpty,
    MessageForgotten,
    MessageNotCurrent,
    MessageNotText,
    TooManyAlternatives,
    UnknownMessage,
)
from episodes.models import ChangeKind
from factcheck.posting.api.shapes import PostedMessage
from memoryproject.rest.typed_dicts import member


def describe_alternative_body(message_body: dict[str, Any], *, has_seq: bool) -> dict[str, Any]:
    """The JSON schema of what a place is to say, from that of a message."""
    own = ("content", "language", "frame", "memory_type", "mood", "response_description")
    properties = {name: message_body["properties"][name] for name in own}
    if has_seq:
        properties["seq"] = {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_SEQ,
            "description": "The place; the last one if left out.",
        }
    return {"type": "object", "additionalProperties": False, "required": ["content"], "properties": properties}


class ChangedFact(TypedDict):
    """A fact that an edit, swipe or choice changed. Key and value are null once it is forgotten."""

    fact_id: Annotated[int, member(31)]
    type: Annotated[str, member("allergy")]
    key: Annotated[str | None, member("nickel")]
    value: Annotated[str | None, member("nickel")]


class MessageChanges(TypedDict):
    """What followed because a message is read no more."""

    facts_ended: Annotated[list[ChangedFact], member(description="Nothing that counts proves them any more.")]
    facts_restored: Annotated[list[ChangedFact], member([], "They were known before the message, and are again.")]
    facts_added: Annotated[list[ChangedFact], member([], "They follow from what counts now.")]
    facts_settled: Annotated[list[ChangedFact], member([], "Disputed now, or disputed no more.")]
    facts_kept: Annotated[list[ChangedFact], member([], "They lost a proof and stand by others.")]
    cleared: Annotated[
        dict[str, int], member({"passages": 1, "snippets": 0, "talk_summaries": 1, "traces": 2}, "Counts by store.")
    ]


class ChangedMessage(PostedMessage):
    """What stands at the place now, what was understood of it, and what followed."""

    kind: Annotated[str, member("edit", choices=ChangeKind.values)]
    changed: Annotated[bool, member(True, "False where it stood there before: then nothing followed.")]
    deselected_id: Annotated[int | None, member(91, "The message that stood there before.")]
    changes: MessageChanges


NOTHING_CHANGED: dict[str, Any] = {
    "facts_ended": [],
    "facts_restored": [],
    "facts_added": [],
    "facts_settled": [],
    "facts_kept": [],
    "cleared": {},
}
CHANGE_CODES = (UnknownMessage, MessageNotCurrent, MessageForgotten, TooManyAlternatives)
CONTENT_CODES = (MessageEmpty, MessageNotText)
