"""Names keep to the field's words: docs/glossary.md says which."""

from __future__ import annotations

import ast
import functools
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
    "sealing", "streaming", "trace_rendering", "message_ranking",
}  # fmt: skip
"""Modules whose names are the field's nouns for what is in them."""

ONE_MEANING = {
    "pack": ("bench/pack.py", "runtime", "factcheck/patterns"),
    "frame": ("runtime/config.py", "runtime/context/render.py", "memoryproject/settings"),
    "gate": (
        "bench", "knowledge/canon", "knowledge/errors.py", "reviews", "factcheck/extraction", "factcheck/plots/core",
        "runtime/condensing/core",
    ),
    "scope": (
        "tenancy", "memoryproject/asgi_router.py", "knowledge/search/embedding/service.py", "runtime/mcp",
        "runtime/store", "knowledge/notebook/api", "episodes/threads/api", "reviews/core/actor.py",
    ),
    "turn": ("runtime", "knowledge/notebook", "bench/pack.py", "bench/turns.py"),
}  # fmt: skip
"""Where a word has its one meaning: the context pack (and the table of pattern packs), a section of a prompt, the
golden and the validator gate, the scope of an API key (and ASGI's), an exchange of chat."""


def list_modules(packages=PACKAGES):
    for package in packages:
        yield from (path for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts)


@functools.cache
def walk(path):
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def list_names(path):
    for node in walk(path):
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


def list_definitions(path):
    """Names that others call a thing by: the module, its classes, functions, parameters and constants."""
    yield path.stem
    for node in walk(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
    for statement in walk(path)[0].body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def list_words(name):
    """The words of a name; `frames` and `framed` count as `frame`, too."""
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return {form for word in words for form in (word, word.removesuffix("s"), word.removesuffix("d"))}


def test_words_of_a_name_are_told_apart():
    assert "frame" in list_words("FramedDenial") & list_words("_read_frames") & list_words("frame")
    assert "scope" in list_words("scoped_lexeme") & list_words("SCOPES") & list_words("SearchScope")
    assert list_words("packs_of_turns_gated") >= {"pack", "turn", "gate"}
    assert not {"pack", "turn", "gate"} & list_words("package_is_returned_and_negated")


def test_each_word_keeps_its_one_meaning():
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in list_modules()
        for name in list_definitions(path)
        for word in list_words(name) & ONE_MEANING.keys()
        if not path.relative_to(ROOT).as_posix().startswith(ONE_MEANING[word])
    ]
    assert found == []
