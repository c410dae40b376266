"""Searching what was said."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.alternatives.selectors import find_own_line
from episodes.conversations.api.conversations import CONVERSATION_ID, ConversationMixin
from episodes.conversations.api.rendering import render_episodes
from episodes.conversations.selectors.conversations import get_conversation
from episodes.errors import InvalidSince, InvalidUntil, UnknownConversation
from episodes.facts.api.facts import UserMixin
from episodes.models import MessageRole
from episodes.search.api import shapes as search_shapes
from episodes.search.selectors.partition import EpisodeFilters
from episodes.search.selectors.search import search_episodes
from knowledge.canon.selectors.search import MAX_K, MAX_QUERY_LENGTH
from knowledge.errors import KOutOfRange
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters, TextParameter
from memoryproject.rest.times import read_time
from tenancy.api.users import USER_ID
from tenancy.api.views import MachineView
from tenancy.errors import UnknownEndUser

QUERY = TextParameter(
    "q",
    "What to look for, in any language. Below 30 characters, cards come without `span_context`.",
    "what did I say about nickel and other metals",
    MAX_QUERY_LENGTH,
    is_required=True,
    is_prose=True,
)
K = NumberParameter(
    "k", "How many cards at most; `config/knowledge.yaml` says the default.", 5, 1, MAX_K, error=KOutOfRange
)
CONVERSATION_PARAMETERS = Parameters((QUERY, K))
USER_PARAMETERS = Parameters(
    (
        QUERY,
        K,
        NumberParameter("conversation_id", "Only in this conversation of the user's.", 1, 1, MAX_ID),
        ChoiceParameter("role", "Only what the user, or the assistant, said.", "user", ("user", "assistant")),
        TextParameter("since", "Only what was said at that time or later, with offset.", "2026-01-01T00:00:00Z", 40),
        TextParameter("until", "Only what was said before that time, with offset.", "2027-01-01T00:00:00Z", 40),
    )
)
FOUND = reply(search_shapes.Episodes, "Best first.")


class EpisodesView(UserMixin, MachineView):
    """`users/{user_id}/episodes`."""

    scopes = {"GET": "read"}

    @operation(
        "episodes_search",
        "Episodes",
        FOUND,
        UnknownEndUser,
        UnknownConversation,
        search_shapes.QUERY_CODES,
        search_shapes.TIME_CODES,
        path=(USER_ID,),
        parameters=USER_PARAMETERS,
    )
    def get(self, request: Request, user_id: str) -> Response:
        """Search what a user and the assistant said.

        Messages of the user's conversations, by exact BM25, by vectors and by the turns beside them. What is
        forgotten is not found. With `X-Site-ID`, only conversations of that world.
        """
        values = self.values
        since, until = read_time(values, "since", InvalidSince), read_time(values, "until", InvalidUntil)
        user = self.find_user(user_id)
        world_id = self.world_id
        conversation_id = values.get("conversation_id")
        line = None
        if conversation_id is not None:
            conversation = get_conversation(
                tenant_id=user.tenant_id, conversation_id=conversation_id, world_id=world_id
            )
            if conversation.end_user_id != user.pk:
                raise UnknownConversation(f"There is no conversation {conversation_id}.")
            line = find_own_line(conversation)
        result = search_episodes(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            query=values["q"],
            k=values.get("k"),
            filters=EpisodeFilters(
                world_id=world_id,
                conversation_id=conversation_id,
                line=line,
                role=MessageRole(values["role"]) if "role" in values else None,
                since=since,
                until=until,
            ),
        )
        return Response(render_episodes(result))


class ConversationSearchView(ConversationMixin, MachineView):
    """`conversations/{id}/search`."""

    scopes = {"GET": "read"}

    @operation(
        "conversations_search",
        "Episodes",
        FOUND,
        UnknownConversation,
        search_shapes.QUERY_CODES,
        path=(CONVERSATION_ID,),
        parameters=CONVERSATION_PARAMETERS,
    )
    def get(self, request: Request, conversation_id: int) -> Response:
        """Search a conversation.

        As the search of a user's episodes, in one conversation only.
        """
        values = self.values
        conversation = self.find_conversation(conversation_id)
        result = search_episodes(
            tenant_id=conversation.tenant_id,
            end_user_id=conversation.end_user_id,
            query=values["q"],
            k=values.get("k"),
            filters=EpisodeFilters(conversation_id=conversation.pk, line=find_own_line(conversation)),
        )
        return Response(render_episodes(result))
