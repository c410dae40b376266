"""Editing, swiping and choosing messages by REST."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.alternatives.actions import AlternativeDraft
from episodes.alternatives.api import MESSAGE_ID, MessageMixin
from episodes.conversations.api.conversations import CONVERSATION_ID, ConversationMixin
from episodes.errors import UnknownConversation
from episodes.facts.selectors.worlds import find_facts_of_world
from episodes.forgetting.core.replays import FactChanges
from episodes.models import ChangeKind, Message
from factcheck.alternatives import shapes
from factcheck.alternatives.actions import ChangedPlace, add_swipe, edit_message, select_message
from factcheck.posting.actions.messages import PostedMessage
from factcheck.posting.api.messages import MESSAGE_SCHEMA, render_posted
from factcheck.posting.selectors import hide_other_worlds
from knowledge.errors import FactKeysMissing
from knowledge.facts.selectors.facts import map_facts
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.schemas import BODY_CODES, IDEMPOTENCY_HEADER
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

EDIT = Body(shapes.describe_alternative_body(MESSAGE_SCHEMA, has_seq=False))
SWIPE = Body(shapes.describe_alternative_body(MESSAGE_SCHEMA, has_seq=True))
FOLLOWS = (
    " RAW keeps the old words; nobody reads them any more. Facts that they alone proved end, an allergy too: it was "
    "never said. What they had replaced comes back. `changes` lists all of it."
)


def _answer_with(kind: str) -> OpenApiResponse:
    return reply(shapes.ChangedMessage, "It stands at the place now, or did before (`changed`).", kind=kind)


class ChangingView(MessageMixin, ConversationMixin, MachineView):
    """What the calls share."""

    scopes = {"POST": "engine"}

    def answer(self, body: Any, kind: str, act: Callable[[str], ChangedPlace]) -> Response:
        """Act once, and say what came of it."""

        def write() -> Answer:
            return Answer(200, self.render(act(f"key {self.caller.key_prefix}"), kind))

        return self.idempotent_response(self.find_world(), body, write)

    def render(self, place: ChangedPlace, kind: str) -> dict[str, Any]:
        """The place as the caller may see it."""
        posted = PostedMessage(place.message, place.change is not None and kind != ChangeKind.SELECT, place.understood)
        [posted] = hide_other_worlds([posted], self.caller.world_id)
        return {
            **render_posted(posted),
            "kind": kind,
            "changed": place.change is not None,
            "deselected_id": None if place.change is None else place.change.deselected_id,
            "changes": shapes.NOTHING_CHANGED if place.change is None else self._render_changes(place),
        }

    def _render_changes(self, place: ChangedPlace) -> dict[str, Any]:
        lists = {
            "facts_ended": place.facts.ended,
            "facts_restored": place.facts.restored,
            "facts_added": place.facts.added,
            "facts_settled": place.facts.settled,
            "facts_kept": place.facts.kept,
        }
        told = self._render_facts(place.message, place.facts)
        cleared = dict(place.change.changed["cleared"]) if place.change is not None else {}
        return {**{name: [told[pk] for pk in ids if pk in told] for name, ids in lists.items()}, "cleared": cleared}

    def _render_facts(self, message: Message, facts: FactChanges) -> dict[int, dict[str, Any]]:
        """The facts by id, of those that the caller's world may know."""
        ids: Iterable[int] = {*facts.ended, *facts.restored, *facts.added, *facts.settled, *facts.kept}
        if ids and self.caller.world_id is not None:
            own = find_facts_of_world(
                tenant_id=message.tenant_id, end_user_id=message.conversation.end_user_id, world_id=self.caller.world_id
            )
            ids = own.fact_ids.intersection(ids)
        return {
            pk: {"fact_id": pk, "type": fact.type, "key": fact.key, "value": fact.value}
            for pk, fact in map_facts(tenant_id=message.tenant_id, fact_ids=ids).items()
        }


class EditView(ChangingView):
    """`messages/{id}/edit`."""

    @operation(
        "messages_edit",
        "Conversations",
        _answer_with("edit"),
        shapes.CHANGE_CODES,
        shapes.CONTENT_CODES,
        FactKeysMissing,
        path=(MESSAGE_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=EDIT,
        sent={"other words": {"content": "I am fine with nickel."}},
        description="The message with other words, in its place and as of its time." + FOLLOWS,
    )
    def post(self, request: Request, message_id: int) -> Response:
        """Edit a message."""
        body = self.body
        message = self.find_message(message_id)
        draft = AlternativeDraft(**body)
        return self.answer(
            body,
            ChangeKind.EDIT,
            lambda caller: edit_message(
                tenant_id=message.tenant_id, message_id=message.pk, draft=draft, requested_by=caller
            ),
        )


class SwipeView(ChangingView):
    """`conversations/{id}/swipes`."""

    @operation(
        "messages_swipe",
        "Conversations",
        _answer_with("swipe"),
        shapes.CHANGE_CODES,
        shapes.CONTENT_CODES,
        FactKeysMissing,
        UnknownConversation,
        path=(CONVERSATION_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=SWIPE,
        sent={"another answer": {"content": "The bridge is closed at night."}},
        description="Another alternative of a place, current from now on; earlier ones can be selected again."
        + FOLLOWS,
    )
    def post(self, request: Request, conversation_id: int) -> Response:
        """Swipe a message."""
        body = self.body
        conversation = self.find_conversation(conversation_id)
        said = {name: value for name, value in body.items() if name != "seq"}
        seq = body.get("seq", conversation.last_seq)
        return self.answer(
            body,
            ChangeKind.SWIPE,
            lambda caller: add_swipe(
                tenant_id=conversation.tenant_id,
                conversation_id=conversation.pk,
                seq=seq,
                draft=AlternativeDraft(**said),
                requested_by=caller,
            ),
        )


class SelectView(ChangingView):
    """`messages/{id}/select`."""

    @operation(
        "messages_select",
        "Conversations",
        _answer_with("select"),
        BODY_CODES,
        shapes.CHANGE_CODES,
        FactKeysMissing,
        path=(MESSAGE_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        description="The message is current at its place again. No body." + FOLLOWS,
    )
    def post(self, request: Request, message_id: int) -> Response:
        """Select an alternative."""
        message = self.find_message(message_id)
        return self.answer(
            {},
            ChangeKind.SELECT,
            lambda caller: select_message(tenant_id=message.tenant_id, message_id=message.pk, requested_by=caller),
        )
