"""`notebooks/{id}/context`, `/prompt` and `/commands`: what a model is told, and what it writes."""

from __future__ import annotations

from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.notebook.actions.commands import CommandResult, CommandRun, run_commands
from knowledge.notebook.api.common import NotebookView, notebook_operation
from knowledge.notebook.api.rendering import render_entry, render_hit
from knowledge.notebook.api.shapes import CommandRunShape, CommandShape
from knowledge.notebook.selectors.context import read_notebook_context
from knowledge.notebook.selectors.entries import note_use
from knowledge.text.languages import PROMPT_LANGUAGES
from memoryproject.request_log import get_request_id
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form
from memoryproject.rest.parameters import ChoiceParameter, NumberParameter, Parameters, TextParameter
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from memoryproject.rest.shapes import answer, fill
from runtime.notebook import shapes
from runtime.notebook.context import DEFAULT_BUDGET, MAX_BUDGET, ContextLine, iterate_entry_ids, render_context
from runtime.notebook.follow_up import render_follow_up
from runtime.notebook.templates import TEMPERATURE, load_notebook_templates

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
COMMANDS = form(
    {
        "text": {
            "type": "string",
            "maxLength": MAX_TEXT_LENGTH,
            "description": "What the model wrote, whole. Never a user's words.",
        }
    },
    {
        "given": {
            "type": "array",
            "maxItems": 50,
            "items": {"type": "string", "maxLength": MAX_TEXT_LENGTH},
            "description": "What the model was shown: the user's words, what was recalled. A command that stands there "
            "word for word is an echo and refused.",
        },
        "language": {"type": "string", "enum": list(PROMPT_LANGUAGES), "description": "Of `follow_up`."},
    },
)


class NotebookContextView(NotebookView):
    """`notebooks/{notebook_id}/context`."""

    @notebook_operation("notebooks_context", shapes.NotebookContextShape, parameters=CONTEXT)
    def get(self, request: Request, notebook_id: str) -> Response:
        """Get what a notebook has for a turn.

        Facts, pinned first and then by use, and the memories that the message is about, within a budget. What other
        agents wrote names them; what contradicts a fact stands beside it.
        """
        values = self.values
        seat = self.find_seat(notebook_id)
        k = values["k"]
        found = read_notebook_context(seat, values.get("q", "") if k else "", k=k)
        templates = load_notebook_templates()[values.get("language", "en")]
        rendered = render_context(found, templates, agent=seat.agent, budget=values["budget"])
        told = set(iterate_entry_ids(rendered))
        note_use([row for row in (hit.entry for hit in found.hits) if row.pk in told])
        return answer(
            fill(
                shapes.NotebookContextShape,
                rendered,
                facts=_render_lines(rendered.facts),
                memories=_render_lines(rendered.notes),
                cut=_render_lines(rendered.cut),
                degraded=list(found.degraded),
            )
        )


class NotebookPromptView(NotebookView):
    """`notebooks/{notebook_id}/prompt`."""

    @notebook_operation("notebooks_prompt", shapes.NotebookPromptShape, parameters=PROMPT)
    def get(self, request: Request, notebook_id: str) -> Response:
        """Get the system prompt that explains the commands."""
        language = self.values.get("language", "en")
        self.find_seat(notebook_id)
        templates = load_notebook_templates()[language]
        return answer(
            shapes.NotebookPromptShape(
                language=language, version=templates.version, prompt=templates.prompt, temperature=list(TEMPERATURE)
            )
        )


class NotebookCommandsView(NotebookView):
    """`notebooks/{notebook_id}/commands`."""

    @notebook_operation(
        "notebooks_commands",
        CommandRunShape,
        headers=(IDEMPOTENCY_HEADER,),
        body=Body(COMMANDS),
        sent={"a reply": {"text": 'Noted. [SAVE_FACT key="db" value="PostgreSQL"]'}},
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Run the commands of a model's text.

        Takes them out of the text, and executes, proposes or refuses each by the notebook's policy; each is a row of
        the ledger. What stands in code or quotes is text. Broken commands are left out as well, and reported.
        `follow_up` is for one further turn of the model.
        """
        body = self.body
        seat = self.find_seat(notebook_id)
        templates = load_notebook_templates()[body.get("language", "en")]

        def run() -> tuple[BaseModel, int]:
            done = run_commands(seat, body["text"], given=body.get("given", ()), request_id=get_request_id() or "")
            return render_run(done, render_follow_up(done, templates, agent=seat.agent)), 200

        return self.write_once(body, run)


def render_run(run: CommandRun, follow_up: str) -> CommandRunShape:
    """What became of a text."""
    commands = [_render_command(result) for result in run.results]
    return fill(CommandRunShape, run, turn_id=str(run.turn_id), commands=commands, follow_up=follow_up)


def _render_command(result: CommandResult) -> CommandShape:
    return fill(
        CommandShape,
        result.command,
        command=result.command.name,
        arguments=dict(result.command.arguments),
        status=str(result.status),
        code=result.code,
        entry=None if result.entry is None else render_entry(result.entry),
        found=[render_hit(hit) for hit in result.hits],
        proposal_id=None if result.proposal is None else result.proposal.pk,
    )


def _render_lines(lines: tuple[ContextLine, ...]) -> list[shapes.ContextLineShape]:
    return [fill(shapes.ContextLineShape, line) for line in lines]
