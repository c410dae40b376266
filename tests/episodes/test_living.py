"""One definition of what anybody reads: no query in a file reads messages without it, save those that must see all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("episodes", "factcheck", "knowledge", "npcs", "reviews", "runtime", "devtools")
SEES_ALL = {
    "episodes/forgetting/sql/order_batch.sql": "an order forgets every alternative",
    "episodes/condensing/sql/purge_snippets.sql": "what is deselected has no snippet",
    "episodes/condensing/sql/purge_gone_snippets.sql": "what is deselected has no snippet",
    "episodes/embedding/sql/write_vector_codes.sql": "only passages have codes, and what is deselected has none",
}
ALIAS = re.compile(r"\b(?:FROM|JOIN)\s+episodes_message\s+(?:AS\s+)?(\w+)", re.IGNORECASE)


def list_queries():
    return [path for app in APPS for path in sorted((ROOT / app).rglob("*.sql")) if ALIAS.search(path.read_text())]


@pytest.mark.parametrize("path", list_queries(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_query_of_messages_says_which_are_current(path):
    query = "\n".join(line.split("--")[0] for line in path.read_text().splitlines())
    if str(path.relative_to(ROOT)) in SEES_ALL:
        return
    joined_by_passage = re.compile(r"(\w+)\.id = \w+\.message_id")
    for alias in {match.group(1) for match in ALIAS.finditer(query)}:
        by_passage = any(match.group(1) == alias for match in joined_by_passage.finditer(query))
        assert f"{alias}.is_current" in query or by_passage, f"{alias} in {path.name}"


def test_the_queries_that_see_all_are_there():
    assert all((ROOT / path).exists() for path in SEES_ALL)
