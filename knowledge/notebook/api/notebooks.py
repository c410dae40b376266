"""`notebooks`: made, listed, shared, deleted."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.notebook.actions.deletion import delete_notebook
from knowledge.notebook.actions.notebooks import remove_member, write_member, write_notebook
from knowledge.notebook.api import examples, shapes
from knowledge.notebook.api.common import HEADERS, LIMIT, NOTEBOOK_ID, NotebookView, describe_path
from knowledge.notebook.api.rendering import render_member, render_notebook, render_receipt
from knowledge.notebook.core.commands import COMMANDS, POLICIES
from knowledge.notebook.core.names import AGENT_PATTERN, SLUG_PATTERN
from knowledge.notebook.errors import InvalidNotebook
from knowledge.notebook.models import Access
from knowledge.notebook.selectors.entries import count_entries, count_open
from knowledge.notebook.selectors.memberships import Seat, get_member, list_members, list_seats
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS, PLAIN_TEXT, Parameters, TextParameter
from tenancy.api.schemas import BODY_CODES
from tenancy.api.shapes import answer, describe_answer
from tenancy.api.users import USER_CODES
from tenancy.selectors import get_end_user

AGENT = describe_path("member", "scout", "The member's name.", 120, AGENT_PATTERN)
LIST = Parameters(
    (TextParameter("cursor", "`next_cursor` of the page before.", "backend-api", 120, SLUG_PATTERN), LIMIT)
)
NOTEBOOK_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title"],
    "properties": {
        "title": {"type": "string", "maxLength": 200, "pattern": r"^[^\x00-\x1f\x7f-\x9f]*$"},
        "policy": {
            "type": "object",
            "additionalProperties": False,
            "properties": {name: {"type": "string", "enum": list(POLICIES)} for name in COMMANDS},
            "description": "What becomes of commands; left out, reads execute, and writes execute in an own notebook "
            "and are proposed in a shared one.",
        },
        "user_id": {
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "pattern": PLAIN_TEXT,
            "description": "Of a new notebook, whom it is about: it goes when this user is erased.",
        },
    },
}
MEMBER_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["access"],
    "properties": {
        "access": {"type": "string", "enum": list(Access.values)},
        "key_prefix": {
            "type": "string",
            "pattern": "^[A-Za-z0-9]{1,16}$",
            "description": "The key that the agent speaks with; left out, that of the caller.",
        },
        "is_trusted": {"type": "boolean", "description": "Its writes wait in quarantine until this is true."},
    },
}
WRITE, MEMBER = Body(NOTEBOOK_BODY), Body(MEMBER_BODY)


class NotebooksView(NotebookView):
    """`notebooks`."""

    @extend_schema(
        operation_id="notebooks_list",
        tags=["Notebooks"],
        summary="List the agent's notebooks",
        parameters=[*LIST.describe(), *HEADERS],
        responses=describe_answer(
            shapes.NotebookList, {"data": [examples.NOTEBOOK], "next_cursor": None}, examples.NOTEBOOK_CODES
        ),
    )
    def get(self, request: Request) -> Response:
        """List the agent's notebooks."""
        values = LIST.read(request)
        seats = list_seats(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            agent=self.agent,
            api_key_id=self.caller.key_id,
            after=values.get("cursor", ""),
            limit=values["limit"] + 1,
        )
        page = seats[: values["limit"]]
        cursor = page[-1].notebook.slug if len(seats) > len(page) else None
        return answer(shapes.NotebookList(data=[render_notebook(seat) for seat in page], next_cursor=cursor))


class NotebookDetailView(NotebookView):
    """`notebooks/{notebook_id}`."""

    @extend_schema(
        operation_id="notebooks_get",
        tags=["Notebooks"],
        summary="Read about a notebook",
        parameters=[NOTEBOOK_ID, *HEADERS],
        responses=describe_answer(shapes.NotebookDetails, examples.DETAILS, examples.NOTEBOOK_CODES),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """Read about a notebook."""
        NO_PARAMETERS.read(request)
        return answer(_describe(self.find_seat(notebook_id)))

    @extend_schema(
        operation_id="notebooks_write",
        tags=["Notebooks"],
        summary="Make a notebook, or change its title and policy",
        description="Who makes it manages it. Sent again, it changes nothing.",
        parameters=[NOTEBOOK_ID, *HEADERS],
        request={"application/json": NOTEBOOK_BODY},
        examples=[OpenApiExample("a notebook", {"title": "Backend API"}, request_only=True)],
        responses={
            **describe_answer(
                shapes.NotebookDetails,
                examples.DETAILS,
                examples.NOTEBOOK_CODES,
                USER_CODES,
                BODY_CODES,
                {409: {"notebook_full": "A key makes at most 1000 notebooks."}},
            ),
            201: describe_answer(shapes.NotebookDetails, examples.DETAILS, status=201)[201],
        },
    )
    def put(self, request: Request, notebook_id: str) -> Response:
        """Make a notebook, or change its title and policy."""
        NO_PARAMETERS.read(request)
        body = WRITE.read(request)
        if not _is_slug(notebook_id):
            raise InvalidNotebook("The id of a notebook has 1 to 120 Latin letters, digits and '.', '_', ':', '-'.")
        user = body.get("user_id")
        end_user = None if user is None else get_end_user(tenant_id=self.caller.tenant_id, external_id=user)
        seat, is_new = write_notebook(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            slug=notebook_id,
            agent=self.agent,
            api_key_id=self.caller.key_id,
            title=body["title"],
            policy=body.get("policy"),
            end_user_id=None if end_user is None else end_user.pk,
        )
        return answer(_describe(seat), 201 if is_new else 200)

    @extend_schema(
        operation_id="notebooks_delete",
        tags=["Notebooks"],
        summary="Delete a notebook with all that stands in it",
        description="For good: versions, proposals and the ledger go as well. The receipt says how many.",
        parameters=[NOTEBOOK_ID, *HEADERS],
        responses=describe_answer(
            shapes.ReceiptShape, {**examples.RECEIPT, "kind": "deletion"}, examples.NOTEBOOK_CODES
        ),
    )
    def delete(self, request: Request, notebook_id: str) -> Response:
        """Delete a notebook with all that stands in it."""
        NO_PARAMETERS.read(request)
        return answer(render_receipt(delete_notebook(self.find_seat(notebook_id))))


class NotebookMemberView(NotebookView):
    """`notebooks/{notebook_id}/members/{member}`."""

    @extend_schema(
        operation_id="notebooks_members_write",
        tags=["Notebooks"],
        summary="Share a notebook with an agent, or change what it may do",
        parameters=[NOTEBOOK_ID, AGENT, *HEADERS],
        request={"application/json": MEMBER_BODY},
        examples=[OpenApiExample("a scout", {"access": "propose"}, request_only=True)],
        responses={
            **describe_answer(
                shapes.MemberShape, examples.MEMBER, examples.NOTEBOOK_CODES, examples.MEMBER_CODES, BODY_CODES
            ),
            201: describe_answer(shapes.MemberShape, examples.MEMBER, status=201)[201],
        },
    )
    def put(self, request: Request, notebook_id: str, member: str) -> Response:
        """Share a notebook with an agent, or change what it may do."""
        NO_PARAMETERS.read(request)
        body = MEMBER.read(request)
        row, is_new = write_member(
            seat=self.find_seat(notebook_id), agent=member, api_key_id=self.caller.key_id, **body
        )
        return answer(render_member(get_member(row.notebook_id, row.agent)), 201 if is_new else 200)

    @extend_schema(
        operation_id="notebooks_members_delete",
        tags=["Notebooks"],
        summary="End an agent's membership",
        description="What it wrote stays, under its name. Every agent may end its own.",
        parameters=[NOTEBOOK_ID, AGENT, *HEADERS],
        responses=describe_answer(
            shapes.NotebookShape, examples.NOTEBOOK, examples.NOTEBOOK_CODES, examples.MEMBER_CODES
        ),
    )
    def delete(self, request: Request, notebook_id: str, member: str) -> Response:
        """End an agent's membership."""
        NO_PARAMETERS.read(request)
        seat = self.find_seat(notebook_id)
        remove_member(seat=seat, agent=member)
        return answer(render_notebook(seat))


def _describe(seat: Seat) -> shapes.NotebookDetails:
    conflicts, proposals = count_open(seat)
    return shapes.NotebookDetails(
        **render_notebook(seat).model_dump(),
        members=[render_member(row) for row in list_members(seat.notebook.pk)],
        counts=count_entries(seat),
        conflicts_open=conflicts,
        proposals_pending=proposals,
    )


def _is_slug(text: str) -> bool:
    return re.fullmatch(SLUG_PATTERN, text) is not None
