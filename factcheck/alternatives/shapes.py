"""Bodies and answers of edits, swipes and choices by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.alternatives.api import MAX_SEQ
from episodes.models import ChangeKind
from factcheck.api.message_schemas import FACT, POSTED, PostedMessageSerializer


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


class ChangedFactSerializer(serializers.Serializer[Any]):
    """A fact that an edit, swipe or choice changed. Key and value are null once it is forgotten."""

    fact_id = serializers.IntegerField()
    type = serializers.CharField()
    key = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)


class MessageChangesSerializer(serializers.Serializer[Any]):
    """What followed because a message is read no more."""

    facts_ended = ChangedFactSerializer(many=True, help_text="Nothing that counts proves them any more.")
    facts_restored = ChangedFactSerializer(many=True, help_text="They were known before the message, and are again.")
    facts_added = ChangedFactSerializer(many=True, help_text="They follow from what counts now.")
    facts_settled = ChangedFactSerializer(many=True, help_text="Disputed now, or disputed no more.")
    facts_kept = ChangedFactSerializer(many=True, help_text="They lost a proof and stand by others.")
    cleared = serializers.DictField(child=serializers.IntegerField(), help_text="Counts by store.")


class ChangedMessageSerializer(PostedMessageSerializer):
    """What stands at the place now, what was understood of it, and what followed."""

    kind = serializers.ChoiceField(choices=ChangeKind.values)
    changed = serializers.BooleanField(help_text="False where it stood there before: then nothing followed.")
    deselected_id = serializers.IntegerField(allow_null=True, help_text="The message that stood there before.")
    changes = MessageChangesSerializer()


NOTHING_CHANGED: dict[str, Any] = {
    "facts_ended": [],
    "facts_restored": [],
    "facts_added": [],
    "facts_settled": [],
    "facts_kept": [],
    "cleared": {},
}
ALLERGY = {name: FACT[name] for name in ("fact_id", "type", "key", "value")}
CHANGED = {
    **POSTED,
    "message_id": 95,
    "understood": {"facts": [], "corrections": []},
    "kind": "swipe",
    "changed": True,
    "deselected_id": 91,
    "changes": {
        **NOTHING_CHANGED,
        "facts_ended": [ALLERGY],
        "cleared": {"passages": 1, "snippets": 0, "talk_summaries": 1, "traces": 2},
    },
}
CHANGE_CODES: dict[int, dict[str, str]] = {
    404: {"message_not_found": "There is no message 91."},
    409: {
        "message_not_current": "The message 91 is not current: 95 stands at its place.",
        "message_forgotten": "The message 91 is forgotten.",
        "alternatives_full": "The place 12 holds 256 alternatives: no more are taken.",
    },
}
