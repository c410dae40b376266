"""Views ask selectors and actions: they build no queries of their own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("tenancy", "knowledge", "npcs", "episodes", "factcheck", "reviews", "runtime", "devtools")


def list_view_modules() -> list[Path]:
    """Modules of every `api` package, wherever in an app it is, and every module of that name."""
    modules = (path for app in APPS for path in (ROOT / app).rglob("*.py"))
    return [path for path in modules if "api" in path.relative_to(ROOT).with_suffix("").parts]


def find_managers(source: str) -> list[int]:
    """Lines that name a model's manager: `Model.objects`."""
    nodes = ast.walk(ast.parse(source))
    return [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager"}
    ]


def test_no_view_uses_a_manager():
    modules = list_view_modules()
    assert len(modules) > 50
    found = {
        str(path.relative_to(ROOT)): lines
        for path in modules
        if (lines := find_managers(path.read_text(encoding="utf-8")))
    }
    assert found == {}, "Move the query to a selector or an action."


@pytest.mark.parametrize("source", ["Fact.objects.filter(pk=1)", "models.Fact.objects.all()", "Fact._default_manager"])
def test_a_manager_is_found(source):
    assert find_managers(f"def get(self):\n    return {source}") == [2]
