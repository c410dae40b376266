"""What a model's commands found, as text for its next turn."""

from __future__ import annotations

from knowledge.notebook.actions.commands import CommandResult, CommandRun
from runtime.context.core.neutralise import neutralise
from runtime.notebook.context import render_note, shorten
from runtime.notebook.templates import NotebookTemplates

MAX_DOCUMENT_LENGTH = 6000
MAX_ASKED_LENGTH = 120


def render_follow_up(run: CommandRun, templates: NotebookTemplates, *, agent: str) -> str:
    """The results of the reads, one after the other; empty where nothing was asked for.

    All of it was written by agents: it is made harmless, and says that it is data.
    """
    if not run.needs_follow_up:
        return ""
    lines = [line for result in run.results if result.is_read for line in _render(result, templates, agent)]
    return "\n".join([templates.results, *lines])


def _render(result: CommandResult, templates: NotebookTemplates, agent: str) -> list[str]:
    command = result.command
    asked = shorten(" / ".join(command.arguments.values()), MAX_ASKED_LENGTH)
    if result.hits:
        head = f"- {command.name} {neutralise(asked)}:"
        return [head, *(f"  {render_note(hit, templates, agent=agent).text}" for hit in result.hits)]
    if result.entry is None:
        return [templates.render("result_none", command=command.name, asked=asked)]
    row = result.entry
    if command.name == "READ_DOC":
        lines = [neutralise(line) for line in row.content[:MAX_DOCUMENT_LENGTH].splitlines()]
        head = templates.render(
            "document_by" if row.author != agent else "document",
            path=row.name,
            text="",
            **({"author": row.author} if row.author != agent else {}),
        )
        return [head.rstrip(), *(f"  {line}" for line in lines)]
    return [templates.render("fact", key=row.name, text=row.content)]
