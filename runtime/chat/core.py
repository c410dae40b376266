"""Asking a model once more, when what it said may not stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import Template

from runtime.context.core.neutralise import neutralise


@dataclass(frozen=True, slots=True)
class ReplyTemplates:
    """What a model is told in one language when its reply may not stand."""

    version: int
    contradiction: str
    language: str
    source: str


def write_correction(
    templates: ReplyTemplates, *, sources: Sequence[tuple[str, str]], language_name: str | None
) -> str:
    """What is wrong with the reply: what canon says instead, as (title, text), and the language that was wanted."""
    parts = []
    if sources:
        lines = [
            Template(templates.source).substitute(title=neutralise(title), text=neutralise(text))
            for title, text in dict.fromkeys(sources)
        ]
        parts.append(Template(templates.contradiction).substitute(sources="\n".join(lines)))
    if language_name:
        parts.append(Template(templates.language).substitute(language=language_name))
    return "\n".join(part.strip() for part in parts)
