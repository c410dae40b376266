"""Decorators of Character Card V3: `@@name value` lines at the beginning of an entry's content."""

from __future__ import annotations

import re
from dataclasses import replace

from knowledge.lorebooks.core.book import Decorator

MAX_DECORATORS = 100  # more than any entry needs; the rest stays text
_LINE = re.compile(r"(@{2,})([A-Za-z_][A-Za-z0-9_]*)(?:[ \t]+(.*))?")


def split_decorators(content: str) -> tuple[tuple[Decorator, ...], str]:
    """The decorators that the content begins with, and the content after them without the line breaks between.

    A line with three or more `@` is a fallback of the decorator above it; without one above, it counts as a decorator.
    `"@@depth 2\\n@@@instruct_depth 1\\nThe inn."` gives `Decorator("depth", "2", (Decorator("instruct_depth", "1"),))`
    and `"The inn."`.
    """
    decorators: list[Decorator] = []
    rest = content
    for _ in range(MAX_DECORATORS):
        line, separator, tail = rest.lstrip("\r\n").partition("\n")
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            break
        _append(decorators, len(match[1]), Decorator(match[2], (match[3] or "").strip()))
        rest = tail if separator else ""
    return tuple(decorators), rest.lstrip("\r\n") if decorators else content


def _append(decorators: list[Decorator], at_signs: int, decorator: Decorator) -> None:
    if at_signs > 2 and decorators:
        last = decorators[-1]
        decorators[-1] = replace(last, fallbacks=(*last.fallbacks, decorator))
    else:
        decorators.append(decorator)
