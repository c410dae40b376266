"""The tree in docs/architecture.md is today's."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = {"__pycache__", "htmlcov"}
"""Folders that tools leave behind."""

APPS_IN_PARTS = ("knowledge", "episodes", "factcheck", "reviews")
"""Apps whose features are named in the tree."""


def read_tree():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return re.search(r"## The tree\n\n```\n(.*?)```", text, re.DOTALL)[1]


def list_folders(path):
    return {each.name for each in path.iterdir() if each.is_dir() and not each.name.startswith(".")} - MADE


def test_every_top_folder_is_in_the_tree_and_every_folder_of_the_tree_is_there():
    told = set(re.findall(r"\b([a-z]+)/", read_tree()))
    folders = list_folders(ROOT)
    assert folders <= told, sorted(folders - told)
    inner = set().union(*(list_folders(ROOT / app) for app in APPS_IN_PARTS))
    assert told - folders <= inner, sorted(told - folders)
    assert list_folders(ROOT / "knowledge") - {"admin", "api", "management", "migrations"} <= told
