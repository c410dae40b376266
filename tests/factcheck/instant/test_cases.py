"""Every line of qa/facts: what people say, and what must (not) be understood of it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from factcheck.instant.core.corrections import KnownFact, detect_corrections

FOLDER = Path(__file__).resolve().parents[3] / "qa" / "facts"
LANGUAGES = ("en", "ru", "ar", "arabizi", "zh")


def _read(name: str) -> list[dict]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", [case for name in LANGUAGES for case in _read(name)], ids=lambda case: case["id"])
def test_message_gives_exactly_the_facts_that_it_states(case, extract):
    found = {(fact.type, fact.key): fact.value for fact in extract(case["text"], mode=case.get("frame", "unknown"))}
    wanted = {(fact["type"], fact["key"]): fact.get("value") for fact in case["facts"]}
    assert set(found) == set(wanted)
    assert all(value in (None, found[name]) for name, value in wanted.items() if name[0] in ("budget", "body_params"))


@pytest.mark.parametrize("case", _read("corrections"), ids=lambda case: case["id"])
def test_correction_has_its_outcome(case, extract, compiled, concepts):
    known = [KnownFact(id=place, **fact) for place, fact in enumerate(case["known"])]
    corrections = detect_corrections(
        case["text"], previous_assistant_text=case["previous"], facts=known, extracted=extract(case["text"]),
        compiled=compiled, concepts=concepts,
    )  # fmt: skip
    assert len(corrections) <= 1
    found = corrections[0] if corrections else None
    assert (found.outcome if found else None) == case["outcome"]
    assert sorted(fact.key for fact in found.facts) == sorted(case["about"]) if found else not case["about"]
    replacement = found.replacement if found else None
    assert (replacement and {"key": replacement.key, "value": replacement.value}) == case["replacement"]


def test_each_language_has_forty_cases_of_which_many_give_nothing():
    for name in LANGUAGES:
        cases = _read(name)
        assert len(cases) >= 40
        assert Counter(bool(case["facts"]) for case in cases)[False] >= 20


def test_ids_are_unique():
    ids = [case["id"] for name in (*LANGUAGES, "corrections") for case in _read(name)]
    assert len(ids) == len(set(ids))
