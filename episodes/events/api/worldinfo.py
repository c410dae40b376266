"""The lorebook of a conversation: polled, and brought back with people's edits."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from pydantic import BaseModel, Field
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.alternatives.selectors import list_trunks
from episodes.api.conversations import ConversationMixin
from episodes.api.shapes import CONVERSATION_CODES
from episodes.events.actions.edits import bring_book
from episodes.events.api import examples
from episodes.events.selectors.books import get_revision, read_book
from tenancy.api.bodies import Body
from tenancy.api.parameters import MAX_ID, NumberParameter, Parameters
from tenancy.api.schemas import BODY_CODES, describe_headers
from tenancy.api.shapes import answer, describe_answer
from tenancy.api.views import MachineView

CONVERSATION = NumberParameter("conversation_id", "Whose book.", 7, 1, MAX_ID, is_required=True)
READ = Parameters(
    (CONVERSATION, NumberParameter("since", "Only what changed since this revision.", 3, 0, MAX_ID, default=0))
)
WRITE = Parameters((CONVERSATION,))
BOOK_BODY: dict[str, Any] = {
    "type": "object",
    "required": ["entries"],
    "description": "A World Info of SillyTavern, as `GET worldinfo` gave it, with people's edits.",
    "properties": {"entries": {"type": "object", "additionalProperties": {"type": "object"}}},
    "additionalProperties": True,
}
BOOK = Body(BOOK_BODY)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` of the last answer: 304 without a body where nothing changed.",
    examples=[OpenApiExample("example", '"7-3"')],
)
CODES = {400: {"worldinfo_invalid": "/entries/0/key must be a list of texts, not an object"}}


class WorldInfoShape(BaseModel):
    """A World Info of SillyTavern. With `since` only the entries that changed, and the uids of what is gone."""

    entries: dict[str, dict[str, Any]] = Field(description="Uid to entry; `extensions.memory37` names its event.")
    rev: int
    removed: list[str]


class BroughtBook(BaseModel):
    """What became of a book that was brought back. People's words win over what is here."""

    rev: int
    edited: list[str]
    overtaken: list[str] = Field(description="Of these, those that had changed here since the book was given out.")
    unknown: list[str] = Field(description="Entries of events that are forgotten, or another conversation's.")
    proposed: list[int] = Field(
        description="Proposals that overtaken events follow their texts; until then search tells them as they were."
    )
    foreign: int = Field(description="Entries that are no event: kept, and given out again as they came.")


class WorldInfoView(ConversationMixin, MachineView):
    """`worldinfo`."""

    scopes = {"GET": "read", "POST": "engine"}

    @extend_schema(
        operation_id="worldinfo_get",
        tags=["Events"],
        summary="Read the lorebook of a conversation",
        description="Its events as World Info of SillyTavern, cheap to poll: send the `ETag` as `If-None-Match`, or "
        "the last `rev` as `since`. A branch begins with the events of its trunk up to the fork.",
        parameters=[*READ.describe(), IF_NONE_MATCH, *describe_headers()],
        responses=describe_answer(WorldInfoShape, examples.WORLDINFO, CONVERSATION_CODES),
    )
    def get(self, request: Request) -> Response:
        """Read the lorebook of a conversation."""
        values = READ.read(request)
        conversation = self.find_conversation(values["conversation_id"])
        trunks = list_trunks(conversation)
        rev = get_revision(conversation.pk, trunks)
        tag = f'"{conversation.pk}-{rev}"'
        if request.headers.get("If-None-Match", "").removeprefix("W/") == tag:
            return Response(status=304, headers={"ETag": tag})
        book = read_book(
            conversation_id=conversation.pk,
            world_id=conversation.world_id,
            since=values.get("since") or 0,
            trunks=trunks,
        )
        response = answer(WorldInfoShape(entries=book.entries, rev=book.rev, removed=list(book.removed)))
        response["ETag"] = f'"{conversation.pk}-{book.rev}"'
        return response

    @extend_schema(
        operation_id="worldinfo_bring",
        tags=["Events"],
        summary="Bring back a lorebook that people edited",
        description="Changed entries stand as people wrote them, with the key as author, also where the event changed "
        "here meanwhile. Entries of others are kept. What is forgotten stays so. An event that a branch shares is "
        "edited for its trunk, too.",
        parameters=[*WRITE.describe(), *describe_headers()],
        request={"application/json": BOOK_BODY},
        examples=[OpenApiExample("an edited book", {"entries": {}}, request_only=True)],
        responses=describe_answer(
            BroughtBook,
            {"rev": 4, "edited": [examples.EVENT_ID], "overtaken": [], "proposed": [], "unknown": [], "foreign": 0},
            CONVERSATION_CODES,
            CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request) -> Response:
        """Bring back a lorebook that people edited."""
        values = WRITE.read(request)
        raw = BOOK.read(request)
        conversation = self.find_conversation(values["conversation_id"])
        report = bring_book(
            conversation_id=conversation.pk,
            world_id=conversation.world_id,
            raw=raw,
            author=f"key {self.caller.key_prefix}",
            trunks=list_trunks(conversation),
        )
        return answer(
            BroughtBook(
                rev=report.rev,
                edited=list(report.edited),
                overtaken=list(report.overtaken),
                proposed=list(report.proposed),
                unknown=list(report.unknown),
                foreign=report.foreign,
            )
        )
