"""The lorebook of a conversation: polled, and brought back with people's edits."""

from __future__ import annotations

from typing import Annotated, Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.alternatives.selectors import list_trunks
from episodes.conversations.api.conversations import ConversationMixin
from episodes.errors import UnknownConversation
from episodes.events.actions.edits import bring_book
from episodes.events.api.shapes import CARD, EVENT_ID
from episodes.events.selectors.books import get_revision, read_book
from knowledge.lorebooks.errors import WorldInfoInvalid
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import MAX_ID, NumberParameter, Parameters
from memoryproject.rest.shapes import answer, fill
from memoryproject.rest.typed_dicts import member
from tenancy.api.views import MachineView

CONVERSATION = NumberParameter("conversation_id", "Whose book.", 7, 1, MAX_ID, is_required=True)
READ = Parameters(
    (CONVERSATION, NumberParameter("since", "Only what changed since this revision.", 3, 0, MAX_ID, default=0))
)
BOOK: dict[str, Any] = {
    "type": "object",
    "required": ["entries"],
    "description": "A World Info of SillyTavern, as `GET worldinfo` gave it, with people's edits.",
    "properties": {"entries": {"type": "object", "additionalProperties": {"type": "object"}}},
    "additionalProperties": True,
}
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` of the last answer: 304 without a body where nothing changed.",
    examples=[OpenApiExample("example", '"7-3"')],
)
ENTRY = {
    "uid": 1,
    "key": ["Miron", "silver key"],
    "keysecondary": [],
    "comment": "[m37 1–16] Miron, Irina · Moon Tavern",
    "content": CARD,
    "order": 101,
    "disable": False,
    "extensions": {"memory37": {"event_id": EVENT_ID, "state": "buffer", "messages": [1, 16], "rev": 1}},
}


class WorldInfoShape(BaseModel):
    """A World Info of SillyTavern. With `since` only the entries that changed, and the uids of what is gone."""

    entries: Annotated[
        dict[str, dict[str, Any]], member({"1": ENTRY}, "Uid to entry; `extensions.memory37` names its event.")
    ]
    rev: Annotated[int, member(1)]
    removed: Annotated[list[str], member([])]


class BroughtBook(BaseModel):
    """What became of a book that was brought back. People's words win over what is here."""

    rev: Annotated[int, member(4)]
    edited: Annotated[list[str], member([EVENT_ID])]
    overtaken: Annotated[list[str], member([], "Of these, those that had changed here since the book was given out.")]
    unknown: Annotated[list[str], member([], "Entries of events that are forgotten, or another conversation's.")]
    proposed: Annotated[
        list[int],
        member([], "Proposals that overtaken events follow their texts; until then search tells them as they were."),
    ]
    foreign: Annotated[int, member(0, "Entries that are no event: kept, and given out again as they came.")]


class WorldInfoView(ConversationMixin, MachineView):
    """`worldinfo`."""

    scopes = {"GET": "read", "POST": "engine"}

    @operation(
        "worldinfo_get", "Events", WorldInfoShape, UnknownConversation, parameters=READ, headers=(IF_NONE_MATCH,)
    )
    def get(self, request: Request) -> Response:
        """Read the lorebook of a conversation.

        Its events as World Info of SillyTavern, cheap to poll: send the `ETag` as `If-None-Match`, or the last `rev` as
        `since`. A branch begins with the events of its trunk up to the fork.
        """
        values = self.values
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
        return answer(fill(WorldInfoShape, book), etag=f"{conversation.pk}-{book.rev}")

    @operation(
        "worldinfo_bring",
        "Events",
        BroughtBook,
        UnknownConversation,
        WorldInfoInvalid,
        parameters=Parameters((CONVERSATION,)),
        body=Body(BOOK),
        sent={"an edited book": {"entries": {}}},
    )
    def post(self, request: Request) -> Response:
        """Bring back a lorebook that people edited.

        Changed entries stand as people wrote them, with the key as author, also where the event changed here meanwhile.
        Entries of others are kept. What is forgotten stays so. An event that a branch shares is edited for its trunk,
        too.
        """
        conversation = self.find_conversation(self.values["conversation_id"])
        report = bring_book(
            conversation_id=conversation.pk,
            world_id=conversation.world_id,
            raw=self.body,
            author=f"key {self.caller.key_prefix}",
            trunks=list_trunks(conversation),
        )
        return answer(fill(BroughtBook, report))
