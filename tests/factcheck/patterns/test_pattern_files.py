"""Shipped packs in the tables: loaded once, updated where nobody edited."""

from io import StringIO

import pytest
from django.core.management import call_command

from factcheck.instant.core.concept_files import read_shipped_concepts
from factcheck.instant.core.pattern_sets import read_shipped_pattern_sets
from factcheck.models import Concept, InstantPattern, PatternGuard, PatternPack, PatternVersion
from factcheck.patterns.actions import files as pattern_files
from factcheck.patterns.actions.files import load_shipped_pattern_sets
from factcheck.patterns.selectors.patterns import read_configuration, shipped_configuration

pytestmark = pytest.mark.django_db
PATTERN = "allergy.en.i_am_allergic"


def test_tables_hold_exactly_what_ships_and_are_read_as_it():
    assert read_configuration().version == 0
    report = load_shipped_pattern_sets()
    assert len(report.created) > 400
    read, shipped = read_configuration(), shipped_configuration()
    assert read.version >= 1
    assert [pattern_set.name for pattern_set in read.pattern_sets] == [
        pattern_set.name for pattern_set in shipped.pattern_sets
    ]
    for mine, theirs in zip(read.pattern_sets, shipped.pattern_sets, strict=True):
        assert set(mine.guards) == set(theirs.guards)
        assert set(mine.corrections) == set(theirs.corrections)
        assert set(mine.anchors) == set(theirs.anchors)
        assert mine.macros == theirs.macros
        assert {row.name: row for row in mine.patterns} == {row.name: row for row in theirs.patterns}
    assert [(each.key, each.types, {k: list(v) for k, v in each.names.items()}) for each in read.concepts] == [
        (each.key, each.types, {k: list(v) for k, v in each.names.items()}) for each in shipped.concepts
    ]


def test_second_load_changes_nothing(loaded):
    before = PatternVersion.objects.get().number
    report = load_shipped_pattern_sets()
    assert report.created == report.updated == report.removed == report.kept == []
    assert len(report.unchanged) > 400
    assert PatternVersion.objects.get().number == before


def _ship(monkeypatch, change):
    pattern_sets = [change(pattern_set) for pattern_set in read_shipped_pattern_sets()]
    monkeypatch.setattr(pattern_files, "read_shipped_pattern_sets", lambda: pattern_sets)


def test_newer_pattern_set_updates_untouched_rows_and_leaves_edited_ones(loaded, monkeypatch):
    InstantPattern.objects.filter(name="allergy.en.celiac").update(pattern="i am celiac for sure", is_active=False)
    InstantPattern.objects.filter(name=PATTERN).update(rollout_percent=10, is_active=False)

    def newer(pattern_set):
        from dataclasses import replace

        rows = [
            replace(row, pattern=row.pattern + "!") if row.name in (PATTERN, "allergy.en.celiac") else row
            for row in pattern_set.patterns
        ]
        return replace(
            pattern_set,
            version=pattern_set.version + 1,
            patterns=tuple(rows),
            guards=tuple(g for g in pattern_set.guards if g.name != "joking"),
        )

    _ship(monkeypatch, newer)
    report = load_shipped_pattern_sets()
    assert set(report.updated) == {
        "companion", "table-safety", "everyday", "chinese", "instructions", "anchors", PATTERN,
    }  # fmt: skip
    assert report.kept == ["allergy.en.celiac"]
    assert report.removed == ["joking"]
    updated = InstantPattern.objects.get(name=PATTERN)
    assert updated.pattern.endswith("!")
    assert (updated.rollout_percent, updated.is_active) == (10, False)
    assert InstantPattern.objects.get(name="allergy.en.celiac").pattern == "i am celiac for sure"
    load_shipped_pattern_sets(reset=True)
    reset = InstantPattern.objects.get(name="allergy.en.celiac")
    assert reset.pattern.endswith("!")
    assert reset.is_active is False
    assert updated.history.count() == 2


def test_row_that_ships_no_more_stays_if_it_was_edited_and_own_rows_always_stay(loaded, monkeypatch):
    from dataclasses import replace

    PatternGuard.objects.filter(name="joking").update(pattern="just kidding")
    own = PatternGuard.objects.create(pack=PatternPack.objects.first(), name="own", where="before", pattern="x")
    _ship(monkeypatch, lambda pattern_set: replace(pattern_set, guards=()))
    report = load_shipped_pattern_sets()
    assert report.kept == ["joking"]
    assert set(PatternGuard.objects.values_list("name", "shipped")) == {("joking", None), ("own", None)}
    assert PatternGuard.objects.get(pk=own.pk).pattern == "x"


def test_command_says_what_changed():
    first, second = StringIO(), StringIO()
    call_command("load_patterns", stdout=first)
    call_command("load_patterns", stdout=second)
    assert "created" in first.getvalue()
    assert second.getvalue().strip() == f"unchanged {_count()}"


def _count() -> int:
    pattern_sets = read_shipped_pattern_sets()
    rows = sum(
        len(each.patterns) + len(each.guards) + len(each.corrections) + len(each.anchors) + 1 for each in pattern_sets
    )
    assert Concept.objects.count() == len(read_shipped_concepts())
    return rows + len(read_shipped_concepts())
