"""People in the loop: what a graph asks, and how it goes on with their answers, in another process too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memory37_langgraph.client import Memory37Client
from memory37_langgraph.wire import ANSWER_SCHEMA, TIMEOUT, name_thread

if TYPE_CHECKING:
    from langgraph.types import Command


def ask_person(question: Any, *, schema: Mapping[str, Any] | None = None, timeout_seconds: int | None = None) -> Any:
    """Inside a node: stop here until a person answers; the answer, or `{"rejected": reason}`.

    Args:
        question: What people read; JSON, or what can be shown as JSON.
        schema: JSON Schema that an answer has to fit: the service refuses others.
        timeout_seconds: How long it waits before it is rejected; left out, as long as the world says.
    """
    from langgraph.types import interrupt

    given = {"question": question, ANSWER_SCHEMA: schema, TIMEOUT: timeout_seconds}
    return interrupt({name: value for name, value in given.items() if value is not None})


def build_resume(client: Memory37Client, thread_id: str) -> Command[Any] | None:
    """What the graph goes on with: all answers that it has not taken yet. None where there is none."""
    return _build(client.request("GET", _name(thread_id), params={"limit": 100}))


async def abuild_resume(client: Memory37Client, thread_id: str) -> Command[Any] | None:
    """The async twin of `build_resume`."""
    return _build(await client.arequest("GET", _name(thread_id), params={"limit": 100}))


def _name(thread_id: str) -> str:
    return f"{name_thread(thread_id)}/interrupts"


def _build(page: Mapping[str, Any]) -> Command[Any] | None:
    from langgraph.types import Command

    answers = {
        row["graph_id"]: row["answer"] if row["state"] == "approved" else {"rejected": row["reason"]}
        for row in reversed(page["data"])
        if row["state"] != "open" and row["resumed_at"] is None
    }
    return Command(resume=answers) if answers else None
