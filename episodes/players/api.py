"""Which users there are, and their conversations."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated

from rest_framework.request import Request
from rest_framework.response import Response
from typing_extensions import TypedDict

from episodes.conversations.api import shapes
from episodes.conversations.api.rendering import render_conversation
from episodes.conversations.selectors.conversations import list_conversations
from episodes.facts.api.facts import UserMixin
from episodes.players.selectors.users import list_met_users
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import NEXT_CURSOR, page_by_number, page_by_text
from memoryproject.rest.parameters import Parameters
from memoryproject.rest.shapes import cut_page, fill
from memoryproject.rest.typed_dicts import Time, member
from tenancy.api.users import USER_ID
from tenancy.api.views import MachineView
from tenancy.errors import UnknownEndUser

MAX_USER_ID_LENGTH = 200


class EndUser(TypedDict):
    """A player or companion owner, by the tenant's own id."""

    user_id: Annotated[str, member("player-1")]
    first_seen_at: Annotated[
        Time | None, member("2026-03-01T19:00:00Z", "Null where a world knows the user without a conversation.")
    ]
    last_seen_at: Annotated[
        Time | None, member("2026-03-01T19:12:31Z", "When the last message came; null before the first.")
    ]


class EndUserList(TypedDict):
    """Users in the order of their ids."""

    data: list[EndUser]
    next_cursor: Annotated[str | None, member(None, NEXT_CURSOR)]


class UsersView(MachineView):
    """`users`."""

    scopes = {"GET": "read"}

    @operation(
        "users_list",
        "Conversations",
        reply(EndUserList, "The users. Who is erased is not among them."),
        parameters=Parameters(page_by_text(example="player-1", max_length=MAX_USER_ID_LENGTH)),
    )
    def get(self, request: Request) -> Response:
        """List users.

        All whom the tenant knows, by their ids. With `X-Site-ID`, or with a key of one world, those whom that world has
        met, with the times of that world alone.
        """
        values = self.values
        world = self.find_world()
        limit = values["limit"]
        found = list_met_users(
            tenant_id=self.caller.tenant_id,
            world_id=None if world is None else world.world_id,
            after=values.get("cursor", ""),
            limit=limit + 1,
        )
        page, cursor = cut_page(found, limit, attrgetter("user_id"))
        return Response({"data": [fill(EndUser, user) for user in page], "next_cursor": cursor})


class UserConversationsView(UserMixin, MachineView):
    """`users/{user_id}/conversations`."""

    scopes = {"GET": "read"}

    @operation(
        "users_conversations_list",
        "Conversations",
        reply(shapes.ConversationList, "A page, without messages."),
        UnknownEndUser,
        path=(USER_ID,),
        parameters=Parameters(page_by_number(example=7)),
    )
    def get(self, request: Request, user_id: str) -> Response:
        """List a user's conversations.

        Newest first. With `X-Site-ID`, or with a key of one world, those of that world.
        """
        values = self.values
        user = self.find_user(user_id)
        world = self.find_world()
        limit = values["limit"]
        found = list_conversations(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            world_id=None if world is None else world.world_id,
            before=values.get("cursor"),
            limit=limit + 1,
        )
        page, cursor = cut_page(found, limit)
        return Response({"data": [render_conversation(each) for each in page], "next_cursor": cursor})
