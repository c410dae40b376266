"""`notebooks/{id}/context`, `/prompt` and `/commands`: what a model is told, and what it writes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.notebook.actions.commands import CommandResult, CommandRun, run_commands
from knowledge.notebook.api import examples
from knowledge.notebook.api.common import HEADERS, NOTEBOOK_ID, NotebookView
from knowledge.notebook.api.rendering import render_entry, render_hit
from knowledge.notebook.api.shapes import CommandRunShape, CommandShape
from knowledge.notebook.selectors.context import read_notebook_context
from knowledge.notebook.selectors.entries import note_use
from knowledge.text.languages import PROMPT_LANGUAGES
from memoryproject.request_log import get_request_id
from runtime.notebook import shapes
from runtime.notebook.context import DEFAULT_BUDGET, MAX_BUDGET, ContextLine, iterate_entry_ids, render_context
from runtime.notebook.follow_up import render_follow_up
from runtime.notebook.frames import TEMPERATURE, load_notebook_frames
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS, ChoiceParameter, NumberParameter, Parameters, TextParameter
from tenancy.api.schemas import BODY_CODES, IDEMPOTENCY_HEADER, IDEMPOTENCY_PROBLEMS, describe_headers
from tenancy.api.shapes import answer, describe_answer

MAX_TEXT_LENGTH = 200_000
LANGUAGE = ChoiceParameter("language", "Of the frames; English if left out.", "en", tuple(PROMPT_LANGUAGES))
CONTEXT = Parameters(
    (
        TextParameter("q", "The user's message.", "why did we not take mongo?", MAX_QUERY_LENGTH, is_prose=True),
        NumberParameter("budget", "Tokens (o200k) of the text.", 800, 50, MAX_BUDGET, default=DEFAULT_BUDGET),
        NumberParameter("k", "Memories at most.", 3, 0, 20, default=3),
        LANGUAGE,
    )
)
PROMPT = Parameters((LANGUAGE,))
COMMANDS_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {
        "text": {
            "type": "string",
            "maxLength": MAX_TEXT_LENGTH,
            "description": "What the model wrote, whole. Never a user's words.",
        },
        "given": {
            "type": "array",
            "maxItems": 50,
            "items": {"type": "string", "maxLength": MAX_TEXT_LENGTH},
            "description": "What the model was shown: the user's words, what was recalled. A command that stands there "
            "word for word is an echo and refused.",
        },
        "language": {"type": "string", "enum": list(PROMPT_LANGUAGES), "description": "Of `follow_up`."},
    },
}
COMMANDS = Body(COMMANDS_BODY)
LINE = {"text": "- db: PostgreSQL", "tokens": 6, "provenance": {"kind": "fact", "entry_id": 7, "name": "db"}}


class NotebookContextView(NotebookView):
    """`notebooks/{notebook_id}/context`."""

    @extend_schema(
        operation_id="notebooks_context",
        tags=["Notebooks"],
        summary="Get what a notebook has for a turn",
        description="Facts, pinned first and then by use, and the memories that the message is about, within a budget. "
        "What other agents wrote names them; what contradicts a fact stands beside it.",
        parameters=[NOTEBOOK_ID, *CONTEXT.describe(), *HEADERS],
        responses=describe_answer(
            shapes.NotebookContextShape,
            {
                "text": "Known facts:\n- db: PostgreSQL",
                "tokens": 9,
                "facts": [LINE],
                "memories": [],
                "cut": [],
                "degraded": [],
            },
            examples.NOTEBOOK_CODES,
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """Get what a notebook has for a turn."""
        values = CONTEXT.read(request)
        seat = self.find_seat(notebook_id)
        k = values["k"]
        found = read_notebook_context(seat, values.get("q", "") if k else "", k=k)
        frames = load_notebook_frames()[values.get("language", "en")]
        rendered = render_context(found, frames, agent=seat.agent, budget=values["budget"])
        told = set(iterate_entry_ids(rendered))
        note_use([row for row in (hit.entry for hit in found.hits) if row.pk in told])
        return answer(
            shapes.NotebookContextShape(
                text=rendered.text,
                tokens=rendered.tokens,
                facts=_render_lines(rendered.facts),
                memories=_render_lines(rendered.notes),
                cut=_render_lines(rendered.cut),
                degraded=list(found.degraded),
            )
        )


class NotebookPromptView(NotebookView):
    """`notebooks/{notebook_id}/prompt`."""

    @extend_schema(
        operation_id="notebooks_prompt",
        tags=["Notebooks"],
        summary="Get the system prompt that explains the commands",
        parameters=[NOTEBOOK_ID, *PROMPT.describe(), *HEADERS],
        responses=describe_answer(
            shapes.NotebookPromptShape,
            {"language": "en", "version": 1, "prompt": "You are an assistant …", "temperature": [0.3, 0.5]},
            examples.NOTEBOOK_CODES,
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """Get the system prompt that explains the commands."""
        language = PROMPT.read(request).get("language", "en")
        self.find_seat(notebook_id)
        frames = load_notebook_frames()[language]
        return answer(
            shapes.NotebookPromptShape(
                language=language, version=frames.version, prompt=frames.prompt, temperature=list(TEMPERATURE)
            )
        )


class NotebookCommandsView(NotebookView):
    """`notebooks/{notebook_id}/commands`."""

    @extend_schema(
        operation_id="notebooks_commands",
        tags=["Notebooks"],
        summary="Run the commands of a model's text",
        description="Takes them out of the text, and executes, proposes or refuses each by the notebook's policy; each "
        "is a row of the ledger. What stands in code or quotes is text. Broken commands are left out as well, and "
        "reported. `follow_up` is for one further turn of the model.",
        parameters=[NOTEBOOK_ID, *HEADERS, *describe_headers(IDEMPOTENCY_HEADER)[-1:]],
        request={"application/json": COMMANDS_BODY},
        examples=[
            OpenApiExample("a reply", {"text": 'Noted. [SAVE_FACT key="db" value="PostgreSQL"]'}, request_only=True)
        ],
        responses=describe_answer(
            CommandRunShape, examples.COMMANDS, examples.NOTEBOOK_CODES, BODY_CODES, IDEMPOTENCY_PROBLEMS
        ),
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Run the commands of a model's text."""
        NO_PARAMETERS.read(request)
        body = COMMANDS.read(request)
        seat = self.find_seat(notebook_id)
        frames = load_notebook_frames()[body.get("language", "en")]

        def run() -> tuple[BaseModel, int]:
            done = run_commands(seat, body["text"], given=body.get("given", ()), request_id=get_request_id() or "")
            return render_run(done, render_follow_up(done, frames, agent=seat.agent)), 200

        return self.write_once(body, run)


def render_run(run: CommandRun, follow_up: str) -> CommandRunShape:
    """What became of a text."""
    return CommandRunShape(
        turn_id=str(run.turn_id),
        clean=run.clean,
        commands=[_render_command(result) for result in run.results],
        needs_follow_up=run.needs_follow_up,
        follow_up=follow_up,
    )


def _render_command(result: CommandResult) -> CommandShape:
    command = result.command
    return CommandShape(
        command=command.name,
        arguments=dict(command.arguments),
        status=str(result.status),
        code=result.code,
        start=command.start,
        end=command.end,
        offset=command.offset,
        entry=None if result.entry is None else render_entry(result.entry),
        found=[render_hit(hit) for hit in result.hits],
        proposal_id=None if result.proposal is None else result.proposal.pk,
    )


def _render_lines(lines: tuple[ContextLine, ...]) -> list[shapes.ContextLineShape]:
    return [shapes.ContextLineShape(text=line.text, tokens=line.tokens, provenance=line.provenance) for line in lines]
