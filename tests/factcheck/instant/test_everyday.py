"""How much is heard of 853 everyday lines, most of them written by people who had not seen the patterns."""

from collections import Counter
from pathlib import Path

import pytest

from bench.facts import Reader
from bench.heard import judge, read_lines
from knowledge.facts.core.types import PROTECTED_TYPES

FILE = Path(__file__).resolve().parents[3] / "qa" / "facts" / "everyday.jsonl"
FLOORS = {"en": 0.72, "ru": 0.75, "ar": 0.85, "arabizi": 0.84, "mixed": 0.85}
"""Least recall of allergies and bans by language: what was reached, less two lines."""


@pytest.fixture(scope="module")
def judged():
    reader = Reader()
    return [judge(line, reader) for line in read_lines(FILE)]


def test_precision_and_recall_stay_above_their_floors(judged):
    right = sum(len(each.right) for each in judged)
    wrong = sum(len(each.wrong) for each in judged)
    missed = sum(len(each.missed) for each in judged)
    assert len(judged) >= 400
    assert right / (right + wrong) >= 0.95
    assert right / (right + missed) >= 0.74


@pytest.mark.parametrize("language", sorted(FLOORS))
def test_allergies_and_bans_are_heard_in_every_language(judged, language):
    counts: Counter[str] = Counter()
    for each in judged:
        if each.line["language"] == language:
            for name in ("right", "missed"):
                counts[name] += sum(fact.split(" ")[0] in PROTECTED_TYPES for fact in getattr(each, name))
    assert counts["right"] / counts.total() >= FLOORS[language]


def test_bare_answers_are_heard_and_collisions_give_nothing(judged):
    answers = [each for each in judged if each.line.get("context")]
    right, missed = (sum(len(getattr(each, name)) for each in answers) for name in ("right", "missed"))
    assert right / (right + missed) >= 0.9
    assert not any(each.wrong for each in judged if "collision" in each.line["category"])
