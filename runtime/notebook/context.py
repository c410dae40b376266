"""A notebook's context as text, within a budget of tokens, each line with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from knowledge.notebook.core.drafts import DOCUMENT
from knowledge.notebook.selectors.context import FactWithConflicts, NotebookContext
from knowledge.notebook.selectors.search import NotebookHit
from knowledge.text.tokens import count_tokens
from runtime.context.sources.notebook import describe_side
from runtime.notebook.templates import NotebookTemplates

DEFAULT_BUDGET, MAX_BUDGET = 800, 8000
FACT_SHARE = 0.6
"""Of the budget at most so much is facts, as long as there are notes: both are why there is a notebook."""
MAX_NOTE_LENGTH = 200
"""Characters of a memory that are told. Source: seed 003."""
MAX_FACT_LENGTH = 400


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A line that is told, or was cut."""

    text: str
    tokens: int
    provenance: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RenderedContext:
    """The text, and its lines."""

    text: str
    tokens: int
    facts: tuple[ContextLine, ...]
    notes: tuple[ContextLine, ...]
    cut: tuple[ContextLine, ...]


def render_context(
    found: NotebookContext, templates: NotebookTemplates, *, agent: str, budget: int = DEFAULT_BUDGET
) -> RenderedContext:
    """The seed's two lists, whole lines, within the budget: facts as they come (pinned, then by use), then memories."""
    facts = [render_fact(fact, templates) for fact in found.facts]
    notes = [render_note(hit, templates, agent=agent) for hit in found.hits]
    heads = {head: count_tokens(f"{head}\n\n") for head in (templates.facts, templates.notes)}
    left = budget - (heads[templates.facts] if facts else 0) - (heads[templates.notes] if notes else 0)
    told, cut = _take(facts, int(left * FACT_SHARE) if notes else left)
    left -= sum(line.tokens for line in told)
    memories, more = _take(notes, left)
    left -= sum(line.tokens for line in memories)
    late, cut = _take(cut, left)
    told += late
    parts = [
        "\n".join([head, *(line.text for line in lines)])
        for head, lines in ((templates.facts, told), (templates.notes, memories))
        if lines
    ]
    text = "\n\n".join(parts)
    return RenderedContext(text, count_tokens(text) if text else 0, tuple(told), tuple(memories), (*cut, *more))


def render_fact(fact: FactWithConflicts, templates: NotebookTemplates) -> ContextLine:
    """`- key: value`, with what speaks against it."""
    row = fact.entry
    line = templates.render("fact", key=row.name, text=shorten(row.content, MAX_FACT_LENGTH))
    for conflict in fact.conflicts:
        author, text = describe_side(conflict)
        line += " " + templates.render("conflict", author=author, text=shorten(text, MAX_NOTE_LENGTH))
    return _build_line(
        line,
        {
            "kind": "fact",
            "entry_id": row.pk,
            "name": row.name,
            "version": row.version,
            "author": row.author,
            "conflicts": [conflict.pk for conflict in fact.conflicts],
        },
    )


def render_note(hit: NotebookHit, templates: NotebookTemplates, *, agent: str) -> ContextLine:
    """`- text`; what another agent wrote names its author."""
    row = hit.entry
    values = {"text": shorten(hit.text, MAX_NOTE_LENGTH)}
    if row.kind == DOCUMENT:
        values["path"] = row.name
    name = "document" if row.kind == DOCUMENT else "note"
    if row.author != agent:
        name, values["author"] = f"{name}_by", row.author
    return _build_line(
        templates.render(name, **values),
        {
            "kind": row.kind,
            "entry_id": row.pk,
            "name": row.name,
            "version": row.version,
            "author": row.author,
            "start": hit.start,
            "end": hit.end,
            "score": hit.score,
        },
    )


def shorten(text: str, length: int) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length].rstrip()}…"


def _build_line(text: str, provenance: dict[str, Any]) -> ContextLine:
    return ContextLine(text, count_tokens(f"{text}\n"), provenance)


def _take(lines: list[ContextLine], budget: int) -> tuple[list[ContextLine], list[ContextLine]]:
    told, cut = [], []
    for line in lines:
        if line.tokens <= budget:
            budget -= line.tokens
            told.append(line)
        else:
            cut.append(line)
    return told, cut


def iterate_entry_ids(rendered: RenderedContext) -> Iterator[int]:
    """The entries that were told."""
    for line in (*rendered.facts, *rendered.notes):
        yield line.provenance["entry_id"]
