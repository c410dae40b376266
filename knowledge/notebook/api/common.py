"""What all operations of notebooks share: who asks, in which notebook, with which version."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from pydantic import BaseModel
from rest_framework.response import Response

from knowledge.notebook.core.limits import MAX_AGENT_LENGTH, MAX_KEY_LENGTH, MAX_PATH_BYTES
from knowledge.notebook.core.names import AGENT_PATTERN, SLUG_PATTERN, validate_agent
from knowledge.notebook.errors import InvalidNotebook
from knowledge.notebook.models import Access
from knowledge.notebook.selectors.memberships import Seat, find_seat
from tenancy.actions.idempotency import Answer
from tenancy.api.parameters import MAX_ID, NumberParameter, TextParameter, describe_parameter
from tenancy.api.schemas import describe_headers
from tenancy.api.views import MachineView

AGENT_HEADER = TextParameter(
    "X-Agent-ID",
    "Which agent asks; its name speaks with the key with which it became a member. Left out: the key's own agent.",
    "coder",
    MAX_AGENT_LENGTH,
    pattern=AGENT_PATTERN,
)
IF_MATCH = TextParameter(
    "If-Match", "The `sha256` of the version that was read. Where it says the same already, that is a success.",
    f'"{"8f5a5e0f" * 8}"', 70, pattern=r'^"?[0-9a-f]{64}"?$',
)  # fmt: skip
IF_MATCH_HEADER = describe_parameter(IF_MATCH, location="header")
_SHA256 = re.compile(r'"?([0-9a-f]{64})"?')
SCOPE = "notebook"
LIMIT = NumberParameter("limit", "At most so many.", 50, 1, 100, default=50)
AFTER = NumberParameter("cursor", "`next_cursor` of the page before.", 16, 0, MAX_ID)


def describe_path(name: str, example: str, description: str, max_length: int, pattern: str = "") -> OpenApiParameter:
    """A parameter of a path in the OpenAPI document."""
    schema: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": max_length}
    return OpenApiParameter(
        name,
        {**schema, "pattern": pattern} if pattern else schema,
        OpenApiParameter.PATH,
        description=description,
        examples=[OpenApiExample("example", example)],
    )


NOTEBOOK_ID = describe_path("notebook_id", "backend-api", "The agent's own name of the notebook.", 120, SLUG_PATTERN)
FACT_KEY = describe_path("fact_key", "db", "The key; slashes may stay.", MAX_KEY_LENGTH)
DOCUMENT_PATH = describe_path("document_path", "decisions/typescript.md", "Folders and name.", MAX_PATH_BYTES)
HEADERS = describe_headers(AGENT_HEADER)


class NotebookView(MachineView):
    """A view for keys of the scope `notebook`."""

    scopes = dict.fromkeys(("GET", "PUT", "POST", "PATCH", "DELETE"), SCOPE)

    @property
    def agent(self) -> str:
        """Who asks. Raises InvalidNotebook."""
        name = self.request.headers.get("X-Agent-ID")
        if name is None:
            return f"key-{self.caller.key_prefix}"
        flaw = validate_agent(name)
        if flaw is not None:
            raise InvalidNotebook(flaw)
        return name

    @property
    def world_id(self) -> int | None:
        """The world whose notebooks are meant; None for those of no world. Raises UnknownWorld."""
        world = self.find_world()
        return None if world is None else world.world_id

    def find_seat(self, notebook_id: str, access: str = Access.READ) -> Seat:
        """The agent's seat. Raises UnknownNotebook, AccessDenied."""
        return find_seat(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            slug=notebook_id,
            agent=self.agent,
            api_key_id=self.caller.key_id,
            access=access,
        )

    def read_if_match(self) -> str | None:
        """The version that the caller has read, or None. Raises InvalidNotebook."""
        text = self.request.headers.get("If-Match")
        if text is None:
            return None
        match = _SHA256.fullmatch(text.strip())
        if match is None:
            raise InvalidNotebook("If-Match takes the sha256 of an entry, in quotes or without.")
        return match.group(1)

    def write_once(self, body: Any, write: Any) -> Response:
        """The answer of `write() -> (shape, status)`; with `Idempotency-Key` a repeat gets the first answer again.

        Keys are an agent's own: another agent's repeat is another request."""

        def run() -> Answer:
            shape, status = write()
            return Answer(status, shape.model_dump(mode="json"))

        return self.idempotent_response(self.find_world(), [self.agent, self.read_if_match(), body], run)


def answer_entry(shape: BaseModel, sha256: str, status: int = 200) -> Response:
    """The shape as JSON, with the version as `ETag`."""
    return Response(shape.model_dump(mode="json"), status=status, headers={"ETag": f'"{sha256}"'})
