"""Names keep to the field's words: docs/glossary.md says which."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "memoryproject",
    "tenancy",
    "knowledge",
    "npcs",
    "episodes",
    "factcheck",
    "reviews",
    "runtime",
    "devtools",
    "bench",
)
WORDING = (*PACKAGES, "tests")
"""Where names of functions and variables are looked at."""
BANNED_CONSTANT = re.compile(
    r"_?(?:[A-Z0-9_]+_(?:MOST|LEAST|AT_A_TIME|AT_ONCE)|(?:LONGEST|SHORTEST|MOST|LEAST)_[A-Z0-9_]+)"
)
"""Say MAX_, MIN_, _BATCH_SIZE."""
BANNED_FUNCTION = re.compile(
    r"_?(?:tell|hear|hold|understand)(?:_\w+)?|_?find_(?:\w+_)?flaws?(?:_\w+)?|_?look_around|run_once"
)
"""Say build_, render_, notify_, lock_, extract_, validate_, run_idempotent."""
BANNED_VARIABLE = re.compile(r"_?whose|is_heard_again")
"""Say owner_filter, is_reapplied."""
BANNED_CLASS = re.compile(r"_?(?:Understood\w*|Neighbours)")
"""Say MessageExtraction, AdjacentMessages."""
GERUND = re.compile(r"\w+ing")
NOUNS = {
    "chunking", "embedding", "folding", "forgetting", "http_parsing", "labelling", "landing", "logging",
    "message_rendering", "paging", "query_embedding", "stemming", "pending", "play_rendering", "rendering", "sampling",
    "sealing", "streaming", "trace_rendering", "turn_ranking",
}  # fmt: skip
"""Modules whose names are the field's nouns for what is in them."""


def list_modules(packages=PACKAGES):
    for package in packages:
        yield from (path for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts)


def list_names(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, BANNED_FUNCTION
            yield node.name, BANNED_VARIABLE
        elif isinstance(node, ast.ClassDef):
            yield node.name, BANNED_CLASS
        elif isinstance(node, ast.arg):
            yield node.arg, BANNED_VARIABLE
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, BANNED_CONSTANT
            yield node.id, BANNED_VARIABLE


def test_no_name_is_of_a_banned_form():
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in list_modules(WORDING)
        for name, banned in list_names(path)
        if banned.fullmatch(name)
    ]
    assert found == []


def test_modules_are_nouns():
    found = [path for path in list_modules() if GERUND.fullmatch(path.stem) and path.stem not in NOUNS]
    assert [str(path.relative_to(ROOT)) for path in found] == []
