"""Change requests: proposals by machines. Nobody approves, stages or swaps by REST."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api.parameters import DOMAIN
from memoryproject.json_schema import load_inlined_schema
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_number, render_page
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, Parameters
from memoryproject.rest.schemas import BODY_CODES, IDEMPOTENCY_HEADER, WORLD_CODES
from memoryproject.rest.shapes import cut_page, fill
from reviews.change_requests.actions.proposals import ProposedItem, propose_change
from reviews.change_requests.api import shapes
from reviews.change_requests.selectors.for_machines import get_change_request_of_world, list_change_requests_of_world
from reviews.core.actor import actor_of_key
from reviews.errors import UnknownChangeRequest
from reviews.models import ChangeRequest, ChangeState
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

BODY = Body(shapes.build_proposal_schema({"type": "object"}))
LIST_PARAMETERS = Parameters(
    (
        DOMAIN,
        ChoiceParameter("state", "Only requests in this state.", "in_review", tuple(ChangeState.values)),
        *page_by_number(most=100, example=17, was="before"),
    )
)
CHANGE_REQUEST_ID = OpenApiParameter(
    "change_request_id",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    examples=[OpenApiExample("example", 17)],
)


class ChangeRequestsView(MachineView):
    """`change-requests`."""

    scopes = {"GET": "editor", "POST": "editor"}

    @operation(
        "change_requests_list",
        "Review",
        reply(shapes.ChangeRequestList, "A page."),
        WORLD_CODES,
        parameters=LIST_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """List change requests.

        The world's change requests, newest first. They hold what is secret, so it takes `editor`.
        """
        values = self.values
        limit = values.pop("limit")
        before = values.pop("cursor", None)
        rows = list_change_requests_of_world(world_id=self.get_world().world_id, before=before, **values)
        page, cursor = cut_page(list(rows[: limit + 1]), limit)
        data = [render_summary(row) for row in page]
        return Response(render_page(data, cursor, was="change_requests", next_was="next_before"))

    @operation(
        "change_requests_create",
        "Review",
        {201: reply(shapes.ChangeRequest, "The request as it stands; `Location` says where.")},
        WORLD_CODES,
        BODY_CODES,
        shapes.PROPOSAL_CODES,
        headers=(IDEMPOTENCY_HEADER,),
        body=shapes.build_proposal_schema(load_inlined_schema("lore_document")),
        sent={"a new article": shapes.PROPOSAL},
    )
    def post(self, request: Request) -> Response:
        """Propose a change of canon.

        One request with all its items; nothing is kept if one of them cannot be. People decide on it.
        """
        body = BODY.read(request)
        world = self.get_world()
        actor = actor_of_key(self.caller)

        def write() -> Answer:
            proposed = propose_change(
                actor=actor,
                world_id=world.world_id,
                domain=body.get("domain", "lore"),
                title=body["title"],
                description=body.get("description", ""),
                items=[ProposedItem(**item) for item in body["items"]],
                is_draft=body.get("draft", False),
            )
            stored = get_change_request_of_world(world_id=world.world_id, change_request_id=proposed.pk)
            return Answer(201, render_change_request(stored, with_npc_secrets=False))

        response = self.idempotent_response(world, body, write)
        response["Location"] = f"{request.path}/{response.data['id']}"
        return response


class ChangeRequestView(MachineView):
    """`change-requests/{id}`."""

    scopes = {"GET": "editor"}

    @operation(
        "change_requests_get",
        "Review",
        reply(shapes.ChangeRequest, "The request with its items and comments."),
        WORLD_CODES,
        UnknownChangeRequest,
        path=(CHANGE_REQUEST_ID,),
    )
    def get(self, request: Request, change_request_id: int) -> Response:
        """Read a change request."""
        world = self.get_world()
        if change_request_id > MAX_ID:
            raise UnknownChangeRequest(f"There is no change request {change_request_id}.")
        found = get_change_request_of_world(world_id=world.world_id, change_request_id=change_request_id)
        return Response(render_change_request(found, with_npc_secrets="engine" in self.caller.scopes))


def render_summary(request: ChangeRequest) -> shapes.ChangeRequestSummary:
    """A change request in a list."""
    if request.author is not None:
        author = {"type": "user", "label": request.author.get_username()}
    else:
        author = {"type": "key", "label": f"API key {request.author_key.prefix}" if request.author_key else ""}
    return fill(
        shapes.ChangeRequestSummary,
        request,
        id=request.pk,
        domain=request.domain_index.domain,
        author=author,
        release=request.release.number if request.release else None,
    )


def render_change_request(request: ChangeRequest, *, with_npc_secrets: bool) -> dict[str, Any]:
    """A change request with its items and comments; secrets of NPCs are for keys of the engine."""
    return {
        **render_summary(request),
        "description": request.description,
        "items": [
            fill(
                shapes.ChangeItem,
                item,
                base_revision=item.base_revision.number if item.base_revision else None,
                content=item.content or None,
            )
            for item in request.items.all()
        ],
        "npc_items": [
            fill(shapes.NpcChangeItem, item, content=item.content if with_npc_secrets else hide_secrets(item.content))
            for item in request.npc_items.all()
        ],
        "comments": [
            fill(shapes.Comment, comment, author=comment.author.get_username(), item=comment.item_id)
            for comment in request.comments.all()
        ],
    }


def hide_secrets(content: dict[str, Any]) -> dict[str, Any]:
    """The profile without the secrets of its NPC, and without what it tells whom."""
    static = {name: value for name, value in content["static"].items() if name not in ("secrets", "relations")}
    return {**content, "static": static}
