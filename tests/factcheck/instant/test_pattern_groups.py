import json
from pathlib import Path

import pytest

from factcheck.instant.core.arabizi import is_plain_english
from factcheck.instant.core.expressions import compile_set
from factcheck.instant.core.messages import fold
from factcheck.instant.core.pattern_groups import MAX_GROUP, GroupedPattern, PatternGroups, list_scripts
from factcheck.instant.core.pattern_sets import load_shipped

CASES = Path(__file__).resolve().parents[3] / "qa" / "facts"


def group(*patterns):
    return PatternGroups([GroupedPattern(pattern, pattern, fold(pattern), "mixed") for pattern in patterns])


def test_groups_find_what_one_set_over_all_patterns_finds():
    compiled, _ = load_shipped()
    rows = [
        GroupedPattern(each.row.name, each.row.pattern, each.source, each.row.language) for each in compiled.patterns
    ]
    groups = PatternGroups(rows)
    one_set = compile_set((row.name, row.source) for row in rows)
    lines = (CASES / "statements-voices.jsonl").read_text(encoding="utf-8").splitlines()[::6]
    found = 0
    for line in map(json.loads, lines):
        text, language = fold(line["text"]), line["language"]
        wanted = set(one_set.Match(text.encode()) or ())
        hits = set(groups.match(text))
        found += len(hits)
        assert hits <= wanted
        for row in (rows[index] for index in wanted - hits):
            is_of_other_language = row.language == "arabizi" and language == "en" and is_plain_english(text)
            assert is_of_other_language or row.scripts.isdisjoint(list_scripts(text))
    assert found > len(lines) / 10


def test_a_pattern_is_asked_of_texts_with_letters_of_its_script_and_of_texts_without_letters():
    groups = group("allergic", "аллергия", "حساسيه", "过敏", r"\d+", r"(?:nuts|орехи) \d")

    assert groups.match("аллергия 5") == [1, 4]
    assert groups.match("nuts 5") == [4, 5]
    assert groups.match("орехи 5") == [4, 5]
    assert groups.match("42") == [4]
    assert groups.match("") == []


def test_indexes_are_those_of_the_rows_however_they_are_grouped():
    names = [f"word{number:02}" for number in range(3 * MAX_GROUP + 1)]
    groups = group(*reversed(names))

    assert groups.match(" ".join(names)) == list(range(len(names)))
    assert groups.match("word00") == [len(names) - 1]


@pytest.mark.parametrize(("text", "scripts"), [("xl", {"Latin"}), ("мой xl", {"Latin", "Cyrillic"}), ("5!", set())])
def test_scripts_are_those_of_letters(text, scripts):
    assert list_scripts(text) == scripts
