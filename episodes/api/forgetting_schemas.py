"""What forgetting and erasure take and answer by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.api.fact_schemas import EVIDENCE as EVIDENCE_EXAMPLE
from episodes.api.fact_schemas import FACT, EvidenceSerializer, FactSerializer
from episodes.api.schemas import ID, name
from episodes.models import EchoSearch, FailureCode, ReceiptState
from episodes.selectors.forgetting import MAX_SHOWN

ECHO_SEARCH = (
    "`complete`, or `truncated`: assistants said more since than is looked through, so the list may lack some. Find "
    "them by topic. `not_needed` where no fact is lost, or all goes anyway."
)
TIME = {"type": "string", "format": "date-time", "maxLength": 40}


def form(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    """A body of these members and no others."""
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


FORGET_BODY = {
    "oneOf": [
        form(["scope"], scope={"const": "all", "description": "All that the user's conversations hold."}),
        form(["from"], **{"from": {**TIME, "description": "Said at that time or later."}, "to": TIME}),
        form(["to"], to={**TIME, "description": "Said before that time."}),
        form(["topic"], topic=name(500, "With `dry_run` only: the messages that hold all its words.")),
        form(
            ["message_ids"],
            message_ids={
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_SHOWN,
                "uniqueItems": True,
                "items": ID,
                "description": "The messages that a preview showed.",
            },
        ),
    ]
}
ERASE_BODY = form(
    ["reason", "confirm"],
    reason=name(500, "Why; kept for ever. Write a case number, never the player's words."),
    confirm=name(200, "The user's id once more."),
)


class ReceiptSerializer(serializers.Serializer[Any]):
    """What was forgotten, where, and what a search for it found afterwards."""

    id = serializers.UUIDField()
    user_id = serializers.CharField()
    asked = serializers.JSONField(
        help_text="`scope`: all, range, messages or erasure; of a range its times, of an order its `messages`."
    )
    state = serializers.ChoiceField(
        choices=ReceiptState.values,
        help_text="Pending while a worker or a store does not answer (tried every minute), running while batches are "
        "taken away, then done or failed.",
    )
    code = serializers.ChoiceField(
        choices=FailureCode.values,
        allow_null=True,
        help_text="Why it failed: `interrupted`, its batches failed five times in a row and it waits for a retry; "
        "`still_found`, the check found something (`left`) and looks again every minute.",
    )
    cleared = serializers.DictField(child=serializers.IntegerField(), help_text="Counts by store; of an order, so far.")
    echoes = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The assistants' messages that said again what is forgotten, and were forgotten with it, by id.",
    )
    echoes_searched = serializers.ChoiceField(choices=EchoSearch.values, help_text=ECHO_SEARCH)
    left = serializers.DictField(
        child=serializers.IntegerField(), help_text="What the check still found by store: all 0 once it is done."
    )
    stores_failed = serializers.ListField(child=serializers.CharField())
    requested_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class ReceiptListSerializer(serializers.Serializer[Any]):
    """A user's receipts, newest first."""

    receipts = ReceiptSerializer(many=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """What would be cleared. Nothing has changed."""

    dry_run = serializers.BooleanField(help_text="Always true.")
    can_be_undone = serializers.BooleanField(help_text="Always false.")
    would_clear = serializers.DictField(child=serializers.IntegerField(), help_text="Counts by store.")
    message_ids = serializers.ListField(child=serializers.IntegerField(), help_text="To send as `message_ids`.")
    messages = EvidenceSerializer(many=True)
    has_more = serializers.BooleanField(help_text="Whether there are more messages than are shown.")
    facts = FactSerializer(many=True, help_text="The facts that nothing else proves, and that would go with them.")
    echoes = EvidenceSerializer(
        many=True, help_text="The assistants' messages that say these facts again, and would go with them."
    )
    echoes_searched = serializers.ChoiceField(choices=EchoSearch.values, help_text=ECHO_SEARCH)


RECEIPT = {
    "id": "6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10",
    "user_id": "player-1",
    "asked": {"scope": "messages"},
    "state": "done",
    "code": None,
    "cleared": {
        "messages": 2,
        "echoes": 1,
        "passages": 2,
        "vectors": 2,
        "descriptions": 1,
        "facts": 1,
        "correction_reasons": 0,
        "stored_answers": 1,
        "query_vectors": 0,
        "queries_without_hits": 0,
        "contradicted_claims": 0,
        "labelling": 0,
    },
    "echoes": [92],
    "echoes_searched": "complete",
    "left": {"messages": 0, "found_by_words": 0, "passages": 0, "descriptions": 0, "facts": 0},
    "stores_failed": [],
    "requested_by": "key 3f9a1c20",
    "created_at": "2026-03-02T08:00:00Z",
    "finished_at": "2026-03-02T08:00:00Z",
}
ORDER = {
    **RECEIPT,
    "user_id": "erased-5d0c7f1e9ab24e63",
    "asked": {"scope": "erasure", "messages": 40000},
    "state": "running",
    "cleared": {"messages": 12500, "contents": 12500, "passages": 40000, "vectors": 39950, "facts": 31},
    "echoes": [],
    "echoes_searched": "not_needed",
    "left": {},
    "finished_at": None,
}
ECHO = {**EVIDENCE_EXAMPLE, "message_id": 92, "seq": 14, "role": "assistant", "excerpt": "Noted, no nickel for you."}
PREVIEW = {
    "dry_run": True,
    "can_be_undone": False,
    "would_clear": {"messages": 2, "echoes": 1, "passages": 2, "vectors": 2, "descriptions": 1, "facts": 1},
    "message_ids": [91],
    "messages": [EVIDENCE_EXAMPLE],
    "has_more": False,
    "facts": [{**FACT, "source": "instant_pattern", "evidence": [91], "evidence_span": [92]}],
    "echoes": [ECHO],
    "echoes_searched": "complete",
}
MESSAGE_CODES = {404: {"message_not_found": "There is no message 91."}}
RECEIPT_CODES = {404: {"receipt_not_found": "There is no receipt 6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10."}}
RETRY_CODES = {409: {"receipt_not_failed": "The receipt 6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10 is running."}}
FORGET_CODES = {
    400: {
        "forget_range_invalid": "from and to are times with an offset, from before to.",
        "topic_empty": "There is no word in the topic.",
        "preview_needed": "A topic can only be previewed. Send the message_ids that the preview shows.",
    }
}
ERASE_CODES = {400: {"erasure_not_confirmed": "confirm must be the user's id."}}
