"""The memory tool answers as the SDK's own file tool does, to the byte, on random sequences of commands."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from knowledge.notebook.core.memory_tool import FOLDER_SIZE, MemoryTree, format_size, run_memory_command
from memoryproject.lazy_modules import LazyModule

anthropic_tools: Any = LazyModule("anthropic.lib.tools._beta_builtin_memory_tool")
"""A second to import: not in every process that only collects."""
NAMES = ("a", "b", "notes.md", "план.md", "x y.txt")
TEXTS = ("", "one", "one\n", "one\ntwo\nthree\n", "α\r\nβ\n\n", "one one\none\n", "\n\n", "x" * 1500, "tab\there")
PIECES = ("one", "two", "", "\n", "zero", "one\n", "x", "β")
ODD_PATHS = (
    "/memories", "/memories/", "/etc/passwd", "/memories/../x", "/memories/../memories/a", "memories",
    "/memories/a/../b", "/memories/../../memories/a", "/memoriesa", "/memories//a/", "/memories/./b",
)  # fmt: skip
KINDS = ("view", "view", "create", "create", "create", "str_replace", "insert", "delete", "rename", "rename")
SEQUENCES, LENGTH = 80, 14


class Tree:
    """Documents in memory, changed as the notebook changes them."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.folders: set[str] = set()

    def run(self, command):
        sizes = {path: len(text.encode()) for path, text in self.files.items()}
        answer = run_memory_command(command, MemoryTree(sizes, frozenset(self.folders), self.files.__getitem__))
        for effect in answer.effects:
            getattr(self, f"_{effect.kind}")(effect)
        return answer.text, answer.is_error

    def _write(self, effect):
        self.files[effect.path] = effect.content

    def _folder(self, effect):
        self.folders.add(effect.path)

    def _delete(self, effect):
        del self.files[effect.path]

    def _delete_folder(self, effect):
        inside = f"{effect.path}/"
        self.files = {path: text for path, text in self.files.items() if not path.startswith(inside)}
        self.folders = {path for path in self.folders if path != effect.path and not path.startswith(inside)}

    def _rename(self, effect):
        self.files[effect.target] = self.files.pop(effect.path)

    def _rename_folder(self, effect):
        def move(path):
            is_inside = path == effect.path or path.startswith(f"{effect.path}/")
            return effect.target + path[len(effect.path) :] if is_inside else path

        self.files = {move(path): text for path, text in self.files.items()}
        self.folders = {move(path) for path in self.folders}


def make_path(rng):
    if rng.random() < 0.1:
        return rng.choice(ODD_PATHS)
    return "/memories/" + "/".join(rng.choice(NAMES) for _ in range(rng.choice([1, 1, 1, 2, 2, 3])))


def make_command(rng):
    name = rng.choice(KINDS)
    if name == "rename":
        return {"command": name, "old_path": make_path(rng), "new_path": make_path(rng)}
    command = {"command": name, "path": make_path(rng)}
    if name == "view" and rng.random() < 0.4:
        command["view_range"] = [rng.randint(-2, 5), rng.choice([-1, -2, 0, 1, 2, 3, 9])]
    if name == "create":
        command["file_text"] = rng.choice(TEXTS)
    if name == "str_replace":
        command |= {"old_str": rng.choice(PIECES), "new_str": rng.choice(PIECES)}
    if name == "insert":
        command |= {"insert_line": rng.randint(-1, 5), "insert_text": rng.choice(TEXTS)}
    return command


def run_sdk(tool, command):
    try:
        return tool.call(command), False
    except anthropic_tools.ToolError as error:
        return error.content, True
    except OSError as error:
        return repr(error), True


def level_folder_sizes(text):
    """A folder's size is the file system's own (4 KB on most): as the notebook tells it."""
    own = format_size(FOLDER_SIZE)
    return re.sub(r"^\S+\t(?=/memories/*$|.*/$)", f"{own}\t", text, flags=re.MULTILINE)


@pytest.mark.parametrize("seed", range(4))
def test_answers_are_those_of_the_sdks_file_tool(seed, tmp_path, monkeypatch):
    pytest.importorskip("anthropic")
    monkeypatch.setattr(anthropic_tools.os, "fsync", lambda _: None)  # durability is not what is compared
    rng = random.Random(seed)
    told = set()
    for number in range(SEQUENCES // 4):
        tool = anthropic_tools.BetaLocalFilesystemMemoryTool(str(tmp_path / str(number)))
        tree = Tree()
        for _ in range(LENGTH):
            command = make_command(rng)
            expected, is_error = run_sdk(tool, command)
            got = tree.run(command)
            if command["command"] == "view" and "directories up to" in expected:
                # The first line after the head is the folder that was asked for, whatever it is called.
                head, own, *rest = expected.split("\n")
                own = f"{format_size(FOLDER_SIZE)}\t{own.partition(chr(9))[2]}"
                expected = "\n".join([head, own, level_folder_sizes("\n".join(rest))] if rest else [head, own])
            assert got == (expected, is_error), command
            told.add((command["command"], is_error))
    assert len(told) >= 10
