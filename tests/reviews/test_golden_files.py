"""`manage.py golden`: files in, files out, and a run that fails the build."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from reviews.golden.actions.changes import approve_golden_change
from reviews.models import GoldenChange, GoldenQuery
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db
QUERIES = [
    {"id": "bell-en", "query": "bronze bell", "language": "en", "must_hit": ["bell"], "relevant": {"bell": 3}},
    {"id": "bell-ru", "query": "колокол", "language": "ru", "must_not_hit": ["bell"], "k": 5, "note": "не найти"},
]


def golden(*args: str) -> str:
    out = StringIO()
    call_command("golden", *args, "--world", "main", "--domain", "lore", stdout=out, stderr=out)
    return out.getvalue()


def write(path: Path, queries: Any) -> str:
    path.write_text(json.dumps(queries, ensure_ascii=False), encoding="utf-8")
    return str(path)


def test_what_is_imported_is_exported_unchanged(selmar: Selmar, tmp_path: Path):
    path = write(tmp_path / "golden.json", QUERIES)
    assert golden("import", path).startswith("2 new")
    assert golden("import", path).startswith("0 new, 0 changed, 2 as they were")
    golden("export", str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == QUERIES


def test_query_that_the_file_lacks_is_switched_off_and_comes_back(selmar: Selmar, tmp_path: Path):
    graded = {"id": "tower", "query": "tower", "language": "en", "relevant": {"bell": 1}}
    golden("import", write(tmp_path / "all.json", [*QUERIES, graded]))
    with pytest.raises(CommandError, match="Say why"):
        golden("import", write(tmp_path / "two.json", QUERIES))
    assert "1 switched off" in golden("import", write(tmp_path / "two.json", QUERIES), "--reason", "No tower any more")
    assert list(GoldenQuery.objects.filter(active=True).values_list("key", flat=True)) == ["bell-en", "bell-ru"]
    golden("import", write(tmp_path / "all.json", [*QUERIES, graded]), "--reason", "The tower is back")
    assert GoldenQuery.objects.filter(active=True).count() == 3


def test_file_switches_no_guard_off_by_itself(selmar: Selmar, tmp_path: Path):
    golden("import", write(tmp_path / "two.json", QUERIES))
    told = golden("import", write(tmp_path / "one.json", QUERIES[:1]), "--reason", "Nobody asks it")
    assert "0 switched off" in told
    assert "1 can close a gate" in told
    assert GoldenQuery.objects.filter(active=True).count() == 2
    assert "1 can close a gate" in golden("import", write(tmp_path / "one.json", QUERIES[:1]), "--reason", "Once more")
    change = GoldenChange.objects.get()
    approve_golden_change(actor=selmar.reviewer, change_id=change.pk)
    assert list(GoldenQuery.objects.filter(active=True).values_list("key", flat=True)) == ["bell-en"]


@pytest.mark.parametrize(
    "queries",
    [
        {"not": "a list"},
        [QUERIES[0], {"id": "x", "query": "no expectation", "language": "en"}],
        [QUERIES[0], QUERIES[0]],
        [QUERIES[0] | {"relevant": {"bell": 9}}],
        [QUERIES[0] | {"query": "nul \x00"}],
    ],
)
def test_file_of_another_form_is_refused_whole(selmar: Selmar, tmp_path: Path, queries: Any):
    with pytest.raises(CommandError):
        golden("import", write(tmp_path / "bad.json", queries))
    assert GoldenQuery.objects.count() == 0


def test_run_prints_each_query_and_fails_when_one_does(selmar: Selmar, tmp_path: Path):
    selmar.publish(article("bell", "The bronze bell rings."))
    golden("import", write(tmp_path / "one.json", QUERIES[:1]))
    assert "ok   bell-en" in golden("run")
    golden(
        "import",
        write(
            tmp_path / "two.json",
            [QUERIES[0], {"id": "new", "query": "bronze", "language": "en", "must_not_hit": ["bell"]}],
        ),
    )
    with pytest.raises(CommandError, match="1 of 2 golden queries failed"):
        golden("run")


def test_unknown_world_is_told(selmar: Selmar):
    with pytest.raises(CommandError, match="no world"):
        call_command("golden", "run", "--world", "nowhere", "--domain", "lore")
