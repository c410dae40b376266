"""Talking to NPCs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from typing import Any

from django.http import HttpResponseBase
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.conversations.api.shapes import MESSAGE_CODES
from factcheck.posting.rendering import render_extraction
from knowledge.errors import FactKeysMissing
from memoryproject.problems import INTERNAL, describe_exception
from memoryproject.request_log import get_request_id
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.schemas import WORLD_CODES
from runtime.chat.actions.events import MessageAccepted, ReplyCompleted, ReplyRetracted, TalkEvent, TextDelta, Turn
from runtime.chat.actions.reply_check import ReplyCheck
from runtime.chat.actions.turns import talk
from runtime.chat.api import shapes
from runtime.chat.api.streaming import CONTENT_TYPE, logger, render_event, stream_events
from runtime.errors import SiteConflict
from tenancy.api.views import MachineView
from tenancy.core.caller import WorldRef
from tenancy.selectors import check_tenant, resolve_world

BODY = Body(shapes.CHAT_BODY)


class ChatView(MachineView):
    """`npc/chat`."""

    scopes = {"POST": "engine"}

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        """Takes `Accept: text/event-stream` as well, which the view answers itself."""
        if CONTENT_TYPE in request.headers.get("Accept", ""):
            return JSONRenderer(), CONTENT_TYPE
        return super().perform_content_negotiation(request, force)

    @operation(
        "npc_chat",
        "Chat",
        {200: reply(shapes.Chat, "The reply."), (200, CONTENT_TYPE): shapes.STREAM},
        WORLD_CODES,
        MESSAGE_CODES,
        FactKeysMissing,
        shapes.CHAT_CODES,
        body=BODY,
        sent={"a turn": shapes.ASKED},
        description="Keeps the player's words, puts together what the NPC knows, asks the chat model, holds its reply "
        "against canon and the player's language (once it is asked again), and keeps the reply. " + shapes.EVENTS,
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Say something to an NPC."""
        body = self.body
        turn = make_turn(body, self.find_site(body))
        is_streamed = body.get("stream", False) or request.accepted_media_type == CONTENT_TYPE
        events = talk(turn, streamed=is_streamed)
        if is_streamed:
            return stream_events(request, render_events(turn, _begin(events)))
        return Response(render_answer(turn, _finish(events)))

    def find_site(self, body: dict[str, Any]) -> WorldRef:
        """The world that body or header names. Raises UnknownTenant, UnknownWorld, WorldRequired, SiteConflict."""
        check_tenant(self.caller, body.get("tenant_id"))
        named, header = body.get("site_id"), self.request.headers.get("X-Site-ID")
        if named and header and named != header:
            raise SiteConflict("site_id and X-Site-ID name different worlds.")
        return resolve_world(self.caller, world_slug=named or header)


def make_turn(body: dict[str, Any], world: WorldRef) -> Turn:
    """A body of the form of `CHAT_BODY` as a turn."""
    given = {name: value for name, value in body.items() if name not in {"tenant_id", "site_id", "stream"}}
    given.setdefault("user_id", body["session_id"])
    return Turn(world=world, request_id=get_request_id() or "", **given)


def render_answer(turn: Turn, answered: ReplyCompleted) -> dict[str, Any]:
    """The reply as a document."""
    return {
        "session_id": turn.session_id,
        "npc_id": turn.npc_id,
        "conversation_id": answered.conversation_id,
        "message_id": answered.message_id,
        "reply_message_id": answered.reply_message_id,
        "reply": answered.reply,
        "language": answered.language,
        "canon": None if answered.check is None else _render_check(answered.check, answered.was_asked_again),
        "degraded": list(answered.degraded),
        "extraction": render_extraction(answered.extraction),
        "trace_id": answered.trace_id,
        "usage": asdict(answered.usage),
    }


def render_events(turn: Turn, events: Iterator[TalkEvent]) -> Iterator[bytes]:
    """The events of a turn as they are sent; what fails once the stream has begun becomes its last event."""
    try:
        for event in events:
            match event:
                case MessageAccepted(conversation_id, message_id):
                    yield render_event("heard", {"conversation_id": conversation_id, "message_id": message_id})
                case TextDelta(text):
                    yield render_event("delta", {"text": text})
                case ReplyRetracted(reason):
                    yield render_event("withdrawn", {"reason": reason})
                case ReplyCompleted():
                    yield render_event("answer", render_answer(turn, event))
    except Exception as error:  # noqa: BLE001 - the status is sent: the stream is all that is left to tell by
        problem = describe_exception(error)
        if problem is None:
            logger.error("stream_failed", exc_info=error)
        yield render_event("error", (problem or INTERNAL).to_document())


def _begin(events: Iterator[TalkEvent]) -> Iterator[TalkEvent]:
    """The same events, read up to the first words: what fails before them is answered by a status."""
    first = []
    for event in events:
        first.append(event)
        if not isinstance(event, MessageAccepted):
            break
    return chain(first, events)


def _finish(events: Iterator[TalkEvent]) -> ReplyCompleted:
    return next(event for event in events if isinstance(event, ReplyCompleted))


def _render_check(check: ReplyCheck, was_asked_again: bool) -> dict[str, Any]:
    return {
        "contradictions": [
            {
                "claim": each.claim,
                "explanation": each.explanation,
                "sources": [
                    {"slug": source.slug, "title": source.title, "excerpt": source.excerpt, "release": source.release}
                    for source in each.sources
                ],
            }
            for each in check.contradictions
        ],
        "asked_again": was_asked_again,
    }
