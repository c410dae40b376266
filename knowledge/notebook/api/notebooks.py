"""`notebooks`: made, listed, shared, deleted."""

from __future__ import annotations

import re
from operator import attrgetter

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.notebook.actions.deletion import delete_notebook
from knowledge.notebook.actions.notebooks import remove_member, write_member, write_notebook
from knowledge.notebook.api import shapes
from knowledge.notebook.api.common import LIMIT, NOTEBOOK_ID, NotebookView, notebook_operation
from knowledge.notebook.api.rendering import render_member, render_notebook, render_receipt
from knowledge.notebook.core.commands import COMMANDS, POLICIES
from knowledge.notebook.core.names import AGENT_PATTERN, SLUG_PATTERN
from knowledge.notebook.errors import InvalidNotebook, NotebookFull, NotebookShared, UnknownMember
from knowledge.notebook.models import Access
from knowledge.notebook.selectors.entries import count_entries, count_open
from knowledge.notebook.selectors.memberships import Seat, get_member, list_members, list_seats
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form, text
from memoryproject.rest.operations import reply
from memoryproject.rest.parameters import Parameters, TextParameter
from memoryproject.rest.shapes import answer, cut_page
from tenancy.errors import UnknownEndUser
from tenancy.selectors import get_end_user

MEMBER = TextParameter("member", "The member's name.", "scout", 120, AGENT_PATTERN)
LIST = Parameters(
    (TextParameter("cursor", "`next_cursor` of the page before.", "backend-api", 120, SLUG_PATTERN), LIMIT)
)
NOTEBOOK_BODY = Body(
    form(
        {"title": {"type": "string", "maxLength": 200, "pattern": r"^[^\x00-\x1f\x7f-\x9f]*$"}},
        {
            "policy": form(
                {},
                {name: {"type": "string", "enum": list(POLICIES)} for name in COMMANDS},
                description="What becomes of commands; left out, reads execute, and writes execute in an own notebook "
                "and are proposed in a shared one.",
            ),
            "user_id": text(200, "Of a new notebook, whom it is about: it goes when this user is erased."),
        },
    )
)
MEMBER_BODY = Body(
    form(
        {"access": {"type": "string", "enum": list(Access.values)}},
        {
            "key_prefix": {
                "type": "string",
                "pattern": "^[A-Za-z0-9]{1,16}$",
                "description": "The key that the agent speaks with; left out, that of the caller.",
            },
            "is_trusted": {"type": "boolean", "description": "Its writes wait in quarantine until this is true."},
        },
    )
)
MEMBER_PROBLEMS = (UnknownMember, NotebookShared, NotebookFull)


class NotebooksView(NotebookView):
    """`notebooks`."""

    @notebook_operation("notebooks_list", shapes.NotebookList, path=(), parameters=LIST)
    def get(self, request: Request) -> Response:
        """List the agent's notebooks."""
        values = self.values
        seats = list_seats(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            agent=self.agent,
            api_key_id=self.caller.key_id,
            after=values.get("cursor", ""),
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(seats, values["limit"], attrgetter("notebook.slug"))
        return answer(shapes.NotebookList(data=[render_notebook(seat) for seat in page], next_cursor=cursor))


class NotebookDetailView(NotebookView):
    """`notebooks/{notebook_id}`."""

    @notebook_operation("notebooks_get", shapes.NotebookDetails)
    def get(self, request: Request, notebook_id: str) -> Response:
        """Read about a notebook."""
        return answer(_describe(self.find_seat(notebook_id)))

    @notebook_operation(
        "notebooks_write",
        {200: shapes.NotebookDetails, 201: shapes.NotebookDetails},
        UnknownEndUser,
        NotebookFull,
        body=NOTEBOOK_BODY,
        sent={"a notebook": {"title": "Backend API"}},
    )
    def put(self, request: Request, notebook_id: str) -> Response:
        """Make a notebook, or change its title and policy.

        Who makes it manages it. Sent again, it changes nothing.
        """
        body = self.body
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

    @notebook_operation("notebooks_delete", reply(shapes.ReceiptShape, kind="deletion"))
    def delete(self, request: Request, notebook_id: str) -> Response:
        """Delete a notebook with all that stands in it.

        For good: versions, proposals and the ledger go as well. The receipt says how many.
        """
        return answer(render_receipt(delete_notebook(self.find_seat(notebook_id))))


class NotebookMemberView(NotebookView):
    """`notebooks/{notebook_id}/members/{member}`."""

    @notebook_operation(
        "notebooks_members_write",
        {200: shapes.MemberShape, 201: shapes.MemberShape},
        *MEMBER_PROBLEMS,
        path=(NOTEBOOK_ID, MEMBER),
        body=MEMBER_BODY,
        sent={"a scout": {"access": "propose"}},
    )
    def put(self, request: Request, notebook_id: str, member: str) -> Response:
        """Share a notebook with an agent, or change what it may do."""
        seat = self.find_seat(notebook_id)
        row, is_new = write_member(seat=seat, agent=member, api_key_id=self.caller.key_id, **self.body)
        return answer(render_member(get_member(row.notebook_id, row.agent)), 201 if is_new else 200)

    @notebook_operation("notebooks_members_delete", shapes.NotebookShape, *MEMBER_PROBLEMS, path=(NOTEBOOK_ID, MEMBER))
    def delete(self, request: Request, notebook_id: str, member: str) -> Response:
        """End an agent's membership.

        What it wrote stays, under its name. Every agent may end its own.
        """
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
