"""Conflicts, importance and names: the rules that decide without a model."""

from __future__ import annotations

import pytest

from knowledge.notebook.core.conflicts import KnownFact, find_contradictions
from knowledge.notebook.core.importance import EXEMPT_FROM, rate_importance, score_retention
from knowledge.notebook.core.names import fold_name, validate_key, validate_path

FACTS = [
    KnownFact(1, "db", "PostgreSQL"), KnownFact(2, "user_name", "Алексей"), KnownFact(3, "project", "backend-api"),
    KnownFact(4, "язык", "Python"), KnownFact(5, "release day", "Tuesday"), KnownFact(6, "theme", "dark"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("note", "fact"),
    [
        ("решили переходить на MongoDB", 1), ("we switched to MySQL last week", 1), ("改用MySQL了", 1),
        ("قررنا الانتقال إلى MongoDB", 1), ("replaced PostgreSQL with CockroachDB", 1), ("теперь у нас монга", 1),
        ("The theme is now light", 6), ("Release day changed to Friday", 5), ("пишем на Go", 4),
        ("переписали на Rust", 4),
    ],
)  # fmt: skip
def test_a_choice_against_a_fact_is_a_conflict(note, fact):
    assert [each.fact_id for each in find_contradictions(note, FACTS)] == [fact]


@pytest.mark.parametrize(
    "note",
    [
        "Выбрали PostgreSQL вместо MongoDB, потому что нужны транзакции", "Are we moving to MongoDB?",
        "Moved to Berlin",
        "we did not move to MongoDB", "не будем переходить на MongoDB", "We use PostgreSQL 16", "MongoDB is webscale",
        "Пользователь просит использовать TypeScript везде", "The project is late", "",
    ],
)  # fmt: skip
def test_what_chooses_nothing_else_is_none(note):
    assert find_contradictions(note, FACTS) == []


def test_decisions_are_exempt_and_use_doubles_the_half_life():
    assert rate_importance("note", "Выбрали PostgreSQL, потому что нужны транзакции").value >= EXEMPT_FROM
    assert rate_importance("note", "nice weather").value < rate_importance("note", "port is 8080").value
    score = {"importance": 0.3, "half_life_days": 30.0}
    assert score_retention(**score, idle_days=30, uses=0) == pytest.approx(0.15)
    assert score_retention(**score, idle_days=60, uses=1) == pytest.approx(0.15)
    assert score_retention(**score, idle_days=240, uses=9) == pytest.approx(0.15)


def test_paths_and_keys_that_deceive():
    for path in (
        "../a",
        "a/../b",
        "/a",
        "a//b",
        ".git/x",
        "CON",
        "com1.md",
        "a.",
        "a\u202eb",
        "a\\b",
        "x" * 121,
        "a/" * 9 + "b",
    ):
        assert validate_path(path), path
    for path in ("a.md", "решения/база данных.md", "文档/计划.md", "a/b/c/d.md", "v1.2-final_x.md"):
        assert validate_path(path) is None, path
    assert fold_name("pаsswоrd") == fold_name("PASSWORD") == fold_name("ｐａｓｓｗｏｒｄ")
    assert validate_key("user name") is None
    for key in ("", " a", "a\nb", "a\u200bb", "x" * 201):
        assert validate_key(key), key
