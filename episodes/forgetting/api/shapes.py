"""What forgetting and erasure take and answer by REST."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from episodes.errors import EmptyTopic, InvalidForgetRange, PreviewNeeded
from episodes.facts.api.shapes import Evidence, Fact
from episodes.forgetting.selectors.forgetting import MAX_SHOWN
from episodes.models import EchoSearch, FailureCode, ReceiptState
from memoryproject.rest.forms import ID, form, text
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, Uuid, deprecated, member

ECHO_SEARCH = (
    "`complete`, or `truncated`: assistants said more since than is looked through, so the list may lack some. Find "
    "them by topic. `not_needed` where no fact is lost, or all goes anyway."
)
TIME = {"type": "string", "format": "date-time", "maxLength": 40}
MESSAGE_IDS = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_SHOWN,
    "uniqueItems": True,
    "items": ID,
    "description": "The messages that a preview showed.",
}
FORGET_BODY = {
    "oneOf": [
        form({"scope": {"const": "all", "description": "All that the user's conversations hold."}}),
        form({"from": {**TIME, "description": "Said at that time or later."}}, {"to": TIME}),
        form({"to": {**TIME, "description": "Said before that time."}}),
        form({"topic": text(500, "With `dry_run` only: the messages that hold all its words.")}),
        form({"message_ids": MESSAGE_IDS}),
    ]
}
ERASE_BODY = form(
    {
        "reason": text(500, "Why; kept for ever. Write a case number, never the player's words."),
        "confirm": text(200, "The user's id once more."),
    }
)


class ReceiptFact(TypedDict):
    """A fact that stands otherwise because words are forgotten. Key and value are null once it is forgotten, too."""

    fact_id: Annotated[int, member(58)]
    type: Annotated[str, member("body_params")]
    key: Annotated[str | None, member("size")]
    value: Annotated[str | None, member("M")]


class ReceiptChanges(TypedDict):
    """How facts stand because words are forgotten, as they are now."""

    facts_restored: Annotated[
        list[ReceiptFact], member(description="The words had replaced or denied them; others say so.")
    ]
    facts_added: Annotated[list[ReceiptFact], member([], "They follow from the words that are left.")]
    facts_settled: Annotated[list[ReceiptFact], member([], "Disputed now, or disputed no more.")]
    facts_ended: Annotated[
        list[ReceiptFact], member([], "Replaced, denied by other words, or known by a forgotten question alone.")
    ]


class Receipt(TypedDict):
    """What was forgotten, where, and what a search for it found afterwards."""

    id: Annotated[Uuid, member("6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10")]
    receipt_id: Annotated[Uuid, member("6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10", "The same as `id`.")]
    user_id: Annotated[str, member("player-1")]
    asked: Annotated[
        Any,
        member(
            {"scope": "messages"},
            "`scope`: all, range, messages or erasure; of a range its times, of an order its `messages`.",
        ),
    ]
    state: Annotated[
        str,
        member(
            "done",
            "Pending while a worker or a store does not answer (tried every minute), running while "
            "batches are taken away, then done or failed.",
            choices=ReceiptState.values,
        ),
    ]
    code: Annotated[
        str | None,
        member(
            None,
            "Why it failed: `interrupted`, its batches failed five times in a row and it waits for a "
            "retry; `still_found`, the check found something (`left`) and looks again every minute.",
            choices=FailureCode.values,
        ),
    ]
    cleared: Annotated[
        dict[str, int],
        member(
            {
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
            "Counts by store; of an order, so far.",
        ),
    ]
    echoes: Annotated[
        list[int],
        member([92], "The assistants' messages that said again what is forgotten, and were forgotten with it, by id."),
    ]
    echoes_searched: Annotated[str, member("complete", ECHO_SEARCH, choices=EchoSearch.values)]
    changes: Annotated[
        ReceiptChanges, member(description="None of them where all that a user said is forgotten or erased.")
    ]
    left: Annotated[
        dict[str, int],
        member(
            {"messages": 0, "found_by_words": 0, "passages": 0, "descriptions": 0, "facts": 0},
            "What the check still found by store: all 0 once it is done.",
        ),
    ]
    stores_failed: Annotated[list[str], member([])]
    requested_by: Annotated[str, member("key 3f9a1c20")]
    created_at: Annotated[Time, member("2026-03-02T08:00:00Z")]
    finished_at: Annotated[Time | None, member("2026-03-02T08:00:00Z")]


class ReceiptList(TypedDict):
    """A user's receipts, newest first."""

    data: list[Receipt]
    next_cursor: Annotated[str | None, member(None, NEXT_CURSOR)]
    receipts: NotRequired[Annotated[list[Receipt], deprecated("data")]]


class Preview(TypedDict):
    """What would be cleared. Nothing has changed."""

    dry_run: Annotated[bool, member(True, "Always true.")]
    can_be_undone: Annotated[bool, member(False, "Always false.")]
    would_clear: Annotated[
        dict[str, int],
        member(
            {"messages": 2, "echoes": 1, "passages": 2, "vectors": 2, "descriptions": 1, "facts": 1}, "Counts by store."
        ),
    ]
    message_ids: Annotated[list[int], member([91], "To send as `message_ids`.")]
    messages: list[Evidence]
    has_more: Annotated[bool, member(False, "Whether there are more messages than are shown.")]
    facts: Annotated[list[Fact], member(description="The facts that nothing else proves, and that would go with them.")]
    echoes: Annotated[
        list[Evidence],
        member(description="The assistants' messages that say these facts again, and would go with them."),
    ]
    echoes_searched: Annotated[str, member("complete", ECHO_SEARCH, choices=EchoSearch.values)]


NO_CHANGES: dict[str, Any] = {"facts_restored": [], "facts_added": [], "facts_settled": [], "facts_ended": []}
ORDER: dict[str, Any] = {
    "user_id": "erased-5d0c7f1e9ab24e63",
    "asked": {"scope": "erasure", "messages": 40000},
    "state": "running",
    "cleared": {"messages": 12500, "contents": 12500, "passages": 40000, "vectors": 39950, "facts": 31},
    "echoes": [],
    "echoes_searched": "not_needed",
    "changes": NO_CHANGES,
    "left": {},
    "finished_at": None,
}
FORGET_CODES = (InvalidForgetRange, EmptyTopic, PreviewNeeded)
