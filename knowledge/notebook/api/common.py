"""What all operations of notebooks share: who asks, in which notebook, with which version."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.response import Response

from knowledge.notebook.core.limits import MAX_AGENT_LENGTH, MAX_KEY_LENGTH, MAX_PATH_BYTES
from knowledge.notebook.core.names import AGENT_PATTERN, SLUG_PATTERN, validate_agent
from knowledge.notebook.errors import AccessDenied, InvalidNotebook, UnknownNotebook
from knowledge.notebook.models import Access
from knowledge.notebook.selectors.memberships import Seat, find_seat
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import MAX_ID, NumberParameter, Parameter, TextParameter
from memoryproject.rest.schemas import Problems
from tenancy.actions.idempotency import Answer
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
_SHA256 = re.compile(r'"?([0-9a-f]{64})"?')
SCOPE = "notebook"
LIMIT = NumberParameter("limit", "At most so many.", 50, 1, 100, default=50)
AFTER = NumberParameter("cursor", "`next_cursor` of the page before.", 16, 0, MAX_ID)
BEFORE = NumberParameter("cursor", "`next_cursor` of the page before.", 16, 1, MAX_ID)


def _describe_name(name: str, example: str, description: str, max_length: int) -> OpenApiParameter:
    """A name of whatever characters in a path."""
    schema: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": max_length}
    examples = [OpenApiExample("example", example)]
    return OpenApiParameter(name, schema, OpenApiParameter.PATH, description=description, examples=examples)


NOTEBOOK_ID = TextParameter(
    "notebook_id", "The agent's own name of the notebook.", "backend-api", 120, pattern=SLUG_PATTERN
)
FACT_KEY = _describe_name("fact_key", "db", "The key; slashes may stay.", MAX_KEY_LENGTH)
DOCUMENT_PATH = _describe_name("document_path", "decisions/typescript.md", "Folders and name.", MAX_PATH_BYTES)
ENTRY_ID = NumberParameter("notebook_entry_id", "", 7, 1, MAX_ID)


def notebook_operation(
    operation_id: str,
    answers: Any,
    *problems: Problems,
    path: Sequence[OpenApiParameter | Parameter] = (NOTEBOOK_ID,),
    headers: Sequence[TextParameter] = (),
    **more: Any,
) -> Any:
    """An `operation` by an agent, with what can go wrong before it has a seat in the notebook."""
    return operation(
        operation_id,
        "Notebooks",
        answers,
        InvalidNotebook,
        AccessDenied,
        UnknownNotebook,
        *problems,
        path=path,
        headers=(AGENT_HEADER, *headers),
        **more,
    )


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
