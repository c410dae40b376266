"""The tree in docs/architecture.md is today's."""

from __future__ import annotations

import re

from tests.tree import ROOT

MADE = {"__pycache__", "htmlcov"}
"""Folders that tools leave behind."""

APPS = ("memoryproject", "tenancy", "knowledge", "episodes", "npcs", "factcheck", "reviews", "runtime")
LAYERS = {"actions", "admin", "api", "core", "models", "selectors"}
UNNAMED = LAYERS | {"lua", "management", "migrations", "pattern_sets", "settings", "templatetags"}
"""What an app shares, what Django looks for, and what is data: the tree names features."""


def read_tree():
    """The folders that the tree names: of the top, and of each of them."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named: dict[str, set[str]] = {}
    top = ""
    for line in re.search(r"## The tree\n\n```\n(.*?)```", text, re.DOTALL)[1].splitlines():
        for top in re.findall(r"(\w+)/", line[:20]):
            named[top] = set()
        if top in APPS:
            named[top] |= set(re.findall(r"\b([a-z_]+)/", line[20:]))
    return named


def list_folders(path):
    """Folders that hold a file: git leaves behind those that held some once."""
    folders = {each for each in path.iterdir() if each.is_dir() and not each.name.startswith(".")}
    return {each.name for each in folders if any(holds_file(each))} - MADE


def holds_file(folder):
    return (each for each in folder.rglob("*") if each.is_file() and not MADE & set(each.parts))


def test_every_top_folder_is_in_the_tree_and_every_folder_of_the_tree_is_there():
    assert set(read_tree()) == list_folders(ROOT)


def test_the_tree_names_the_features_of_every_app():
    tree = read_tree()
    for app in APPS:
        folders = list_folders(ROOT / app)
        assert folders - UNNAMED <= tree[app], app
        assert tree[app] <= folders, app
