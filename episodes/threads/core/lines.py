"""Checkpoints as the tree that pages show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MAX_INDENT = 12
"""Deeper ones are shown as deep."""


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A checkpoint, and how far it is set in: a line without forks stays at one depth."""

    checkpoint: Any
    indent: int
    forks: bool
    """Whether several checkpoints follow it."""
    branches_from: str = ""
    """Its parent, where that is not the row above."""
    opens_ns: bool = False
    """Whether it is the first of its namespace, the root graph's apart."""


def build_tree(rows: Sequence[Any]) -> list[TreeRow]:
    """Rows with `ns`, `checkpoint_id` and `parent_id`, each below its parent; namespaces one after the other.

    What follows a fork is set in one step further than it; a line stays where it is.
    """
    children: dict[tuple[str, str], list[Any]] = {}
    known = {(row.ns, row.checkpoint_id) for row in rows}
    for row in sorted(rows, key=lambda each: each.checkpoint_id):
        parent = row.parent_id if (row.ns, row.parent_id) in known else ""
        children.setdefault((row.ns, parent), []).append(row)
    found: list[TreeRow] = []
    for ns in sorted({row.ns for row in rows}):
        waiting = [(row, 0) for row in reversed(children.get((ns, ""), []))]
        while waiting:
            row, indent = waiting.pop()
            below = children.get((ns, row.checkpoint_id), [])
            above = found[-1].checkpoint if found else None
            follows = above is not None and (above.ns, above.checkpoint_id) == (ns, row.parent_id)
            found.append(
                TreeRow(
                    row,
                    min(indent, MAX_INDENT),
                    forks=len(below) > 1,
                    branches_from="" if follows else row.parent_id,
                    opens_ns=bool(ns) and (above is None or above.ns != ns),
                )
            )
            deeper = indent + (len(below) > 1)
            waiting.extend((each, deeper) for each in reversed(below))
    return found
