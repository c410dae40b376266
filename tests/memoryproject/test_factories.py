"""What tests make is made in one place: no function of three statements or more stands in two files of tests."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.tree import ROOT

MIN_STATEMENTS = 3
"""Shorter bodies are calls of what is shared."""


OWN_NAME = re.compile(r"(Name\(id=|\barg\(arg=)'(\w+)'")


def find_shape(function: ast.FunctionDef) -> str | None:
    """The body up to names of its own; none if it is short."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    nodes = [node for statement in body for node in ast.walk(statement)]
    if sum(isinstance(node, ast.stmt) for node in nodes) < MIN_STATEMENTS:
        return None
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    numbers: dict[str, int] = {}

    def number(name: re.Match[str]) -> str:
        return f"{name[1]}{numbers.setdefault(name[2], len(numbers))}" if name[2] in own else name[0]

    return OWN_NAME.sub(number, ast.dump(ast.Module(body, [])))


def find_twins(files: dict[Path, str]) -> list[list[str]]:
    """Functions with one body in several files, as `file: name`."""
    places: dict[str, dict[Path, str]] = defaultdict(dict)
    for file, text in files.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and (shape := find_shape(node)):
                places[shape][file] = f"{file}: {node.name}"
    return [sorted(found.values()) for found in places.values() if len(found) > 1]


def test_no_body_stands_in_two_files():
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert find_twins({file.relative_to(ROOT): file.read_text() for file in files}) == []


def test_twins_are_found_under_other_names():
    say = "def say(chat, text):\n    draft = Draft(text)\n    sent = store(chat, draft)\n    return sent.message\n"
    send = "def send(talk, words: str):\n    row = Draft(words)\n    kept = store(talk, row)\n    return kept.message\n"
    other = send.replace("store(", "post(")
    assert find_twins({Path("a"): say, Path("b"): send, Path("c"): other}) == [["a: say", "b: send"]]
