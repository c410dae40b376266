"""Whoever reads messages leaves out what an order reaches: a mark of forgetting alone comes only with its batch."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

APPS = ("episodes", "factcheck", "npcs", "reviews", "runtime", "knowledge", "devtools")
ALONE = {
    "episodes/conversations/models.py",
    "episodes/forgetting/actions/cascade.py",
    "episodes/forgetting/actions/order_work.py",
    "episodes/forgetting/selectors/forgetting.py",
    "episodes/forgetting/selectors/orders.py",
    "factcheck/rebuild/actions/replay.py",
    "reviews/labelling/actions/forgetting.py",
    "reviews/labelling/actions/golden_cases.py",
    "reviews/labelling/models/golden_cases.py",
    "reviews/labelling/selectors/golden_cases.py",
}
"""Writers and checks of the mark itself, or of a mark of their own: golden cases have one."""


def list_files(pattern):
    files = [
        path for app in APPS for path in (settings.BASE_DIR / app).rglob(pattern) if "migrations" not in path.parts
    ]
    return {str(path.relative_to(settings.BASE_DIR)): path.read_text(encoding="utf-8") for path in files}


def test_python_reads_living_messages():
    found = {name for name, text in list_files("*.py").items() if "forgotten_at__isnull" in text}
    assert found <= ALONE, found - ALONE


@pytest.mark.parametrize("kind", ["*.sql", "*.py"])
def test_sql_that_leaves_out_forgotten_messages_leaves_out_gone_ones(kind):
    files = list_files(kind)
    wrong = [
        name
        for name, text in files.items()
        if re.search(r"forgotten_at IS (NOT )?NULL", text) and "gone_to" not in text
    ]
    assert files
    assert not wrong
