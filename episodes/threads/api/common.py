"""What all operations of threads share: who asks, which thread, how values are sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from episodes.threads.core import limits
from episodes.threads.core.drafts import Place
from episodes.threads.core.values import StateValue, ValueRefused, parse_value
from episodes.threads.errors import InvalidThread, UnknownSerializer
from memoryproject.rest.forms import form, text
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import MAX_ID, NumberParameter, Parameter, TextParameter
from memoryproject.rest.schemas import Problems
from tenancy.api.views import MachineView
from tenancy.models import Scope

_ENDING = re.compile(r"/(checkpoints|state|writes|copy|rollback|interrupts(/[0-9]+/(resume|reject))?)\Z")
"""Of such an id, the thread's address would be that of another thread's state."""
LIMIT = NumberParameter("limit", "At most so many.", 20, 1, 100, default=50)
CURSOR = NumberParameter("cursor", "`next_cursor` of the page before.", 16, 1, MAX_ID)
THREAD_ID = TextParameter(
    "thread_id", "The agent's own id of the thread, percent-encoded.", "thread-1", limits.MAX_THREAD_ID_LENGTH
)


def text_or_none(max_length: int, description: str = "") -> dict[str, Any]:
    """The schema of a text that may be empty."""
    schema: dict[str, Any] = {"type": "string", "maxLength": max_length, "pattern": r"^[^\x00-\x1f\x7f-\x9f]*$"}
    return {**schema, "description": description} if description else schema


NS = text_or_none(limits.MAX_NAMESPACE_LENGTH, "The subgraph; empty for the root graph.")
CHECKPOINT_ID = text(limits.MAX_CHECKPOINT_ID_LENGTH, "Later ids sort behind earlier ones.")
VALUE = form(
    {
        "type": {
            "type": "string",
            "minLength": 1,
            "maxLength": limits.MAX_TYPE_LENGTH,
            "description": "What wrote it: json, msgpack, bytes, bytearray, null, empty, or one of them with a "
            "cipher, such as `msgpack+aes`.",
        }
    },
    {
        "json": {"description": "Of the type json, the value."},
        "data": {"type": "string", "maxLength": 3_000_000, "description": "Of any other type, its bytes in base64."},
    },
)


def thread_operation(
    operation_id: str, answers: Any, *problems: Problems, path: Sequence[Parameter] = (THREAD_ID,), **more: Any
) -> Any:
    """An `operation` on threads; the id of one in the path may be refused."""
    of_path = (InvalidThread,) if path else ()
    return operation(operation_id, "Threads", answers, *of_path, *problems, path=path, **more)


class ThreadApiView(MachineView):
    """A view for keys of the scope `notebook`, or `engine`."""

    @property
    def scopes(self) -> dict[str, str]:  # type: ignore[override]
        """That of the two which the key has."""
        caller = getattr(self.request, "auth", None)
        scope = Scope.ENGINE if caller is not None and caller.has_scope(Scope.ENGINE) else Scope.NOTEBOOK
        return dict.fromkeys(("GET", "PUT", "POST", "DELETE"), scope)

    @property
    def author(self) -> str:
        """Who asks, as it stands in receipts."""
        return f"API key {self.caller.key_prefix}"

    def find_place(self, thread_id: str) -> Place:
        """Where the thread is looked for. Raises InvalidThread."""
        check_thread_id(thread_id)
        return Place(self.caller.tenant_id, self.world_id, thread_id)


def check_thread_id(thread_id: str) -> None:
    """Raises InvalidThread for an id that can't be kept."""
    is_text = thread_id.isprintable() and bool(thread_id.strip())
    if not is_text or len(thread_id) > limits.MAX_THREAD_ID_LENGTH:
        raise InvalidThread(f"The id of a thread has 1 to {limits.MAX_THREAD_ID_LENGTH} printable characters.")
    if _ENDING.search(thread_id):
        raise InvalidThread("The id of a thread does not end as one of its addresses does, such as in /state.")


def read_value(sent: dict[str, Any]) -> StateValue:
    """A value of a body. Raises UnknownSerializer, InvalidThread."""
    try:
        return parse_value(sent)
    except ValueRefused as refused:
        raise (UnknownSerializer if refused.is_serializer else InvalidThread)(str(refused)) from refused
