"""Labelled changes as the layers are fitted to them, and the command that fits them."""

import io
import json
import sys

import pytest
from django.core.management import CommandError, call_command

from factcheck.corrections.change_fit.cases import MAX_OTHERS, build_cases, encode
from factcheck.corrections.change_fit.lines import (
    LabelledChange,
    read_labelled_changes,
    read_statements,
    read_survivals,
)
from factcheck.instant.core.change_cases import CHANGES
from factcheck.instant.core.known_facts import KnownFact
from tests.factcheck.instant.test_tagger_fit import LetterReader

NUTS = KnownFact(0, "allergy", "nuts", "nuts")
SIZE = KnownFact(0, "body_params", "size", "M")


def make_row(**changes):
    row = {
        "language": "en", "type": "allergy", "fact": "peanuts", "said": "I'm allergic to peanuts", "asked": "Noted.",
        "message": "sorry, it was almonds", "change": "replaced", "new": "almonds",
        "beside": {"type": "budget", "fact": "60", "said": "my budget is 60 dollars"},
    }  # fmt: skip
    return {**row, **changes}


def write(path, *rows):
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_facts_are_those_that_patterns_hear(tmp_path, compiled, concepts):
    path = write(tmp_path / "en.jsonl", make_row(), make_row(said="nuts, ugh", fact="hazelnut", beside=None))
    first, second = read_labelled_changes([path], compiled, concepts)
    assert (first.fact.type, first.fact.key) == ("allergy", "peanuts")
    assert [(each.type, each.value) for each in first.beside] == [("budget", "60 USD")]
    assert (second.fact.key, second.beside) == ("hazelnuts", ())
    assert (first.change, first.new, first.asked) == ("replaced", "almonds", "Noted.")


def test_what_no_pattern_hears_and_no_concept_names_is_as_its_label_has_it(tmp_path, compiled, concepts):
    path = write(tmp_path / "en.jsonl", make_row(type="hard_ban", fact="swimming caps", said="caps at pools, no"))
    [line] = read_labelled_changes([path], compiled, concepts)
    assert (line.fact.type, line.fact.key, line.fact.value) == ("hard_ban", "swimming_caps", "swimming caps")


def test_remarks_and_denials_of_the_survival_set_are_lines(tmp_path):
    known = [{"type": "allergy", "key": "nuts", "value": "nuts"}, {"type": "allergy", "key": "milk", "value": "milk"}]
    row = {"language": "en", "known": known, "text": "nuts no longer harm me", "expect": "end", "about": ["nuts"]}
    size = {**row, "known": [{"type": "budget", "key": "general", "value": "5"}], "about": ["general"]}
    path = write(tmp_path / "survival.jsonl", row, {**row, "text": "nuts!", "expect": "keep", "about": []}, size)
    denial, remark = read_survivals(path)
    assert (denial.change, denial.fact.key, [each.key for each in denial.beside]) == ("ends", "nuts", ["milk"])
    assert (remark.change, remark.fact.key) == ("stays", "nuts")


def test_a_statement_stands_beside_a_fact_of_another_type(tmp_path, concepts):
    path = write(
        tmp_path / "en.jsonl",
        {"language": "en", "text": "size L", "expect": [{"type": "body_params", "any_of": ["L"]}]},
    )
    lines = [LabelledChange("en", SIZE, "", "", "stays"), LabelledChange("en", NUTS, "", "", "stays")]
    [line] = read_statements([path], lines)
    assert (line.fact, line.change) == (NUTS, "stays")


def test_a_line_is_read_among_other_facts_and_with_other_talk():
    lines = [
        LabelledChange("en", NUTS, "Noted.", "nuts are fine now", "ends", beside=(SIZE,)),
        LabelledChange("en", KnownFact(0, "allergy", "plums", "plums"), "", "plums, was i mistaken", "doubted"),
        LabelledChange("ru", KnownFact(0, "life_event", "trip", "trip"), "", "никуда не едем", "ends"),
    ]
    cases = list(build_cases(lines, {"en": ["we walked for an hour"]}, copies=6))
    assert len(cases) == 21
    for each in cases:
        told = dict(zip(each.case.facts, each.changes, strict=True))
        assert len(told) <= 2 + MAX_OTHERS
        assert [change for change in told.values() if change != "stays"] != []
    texts = {each.case.text for each in cases[:7]}
    assert any("we walked for an hour" in text for text in texts)
    assert any("plums are fine now" in text for text in texts)


def test_a_case_as_numbers_says_which_pieces_are_what(concepts):
    line = LabelledChange("en", SIZE, "Noted.", "L by now", "replaced", "L")
    [case] = build_cases([line], {}, copies=0)
    example = encode(case, LetterReader(), concepts)
    letters = [chr(number) for number in example.numbers]
    assert "".join(letters[place] for place in example.facts[0]) == "size: M"
    assert "".join(letters[slice(*example.message)]) == "L by now"
    assert "".join(letters[place] for place in example.new) == "L"
    assert [CHANGES[number] for number in example.changes] == ["replaced"]
    assert len(example.marks) == len(example.numbers)
    assert example.is_new_known == 1.0


def test_words_that_are_not_found_are_not_known(concepts):
    [case] = build_cases([LabelledChange("en", SIZE, "", "bigger by now", "replaced", "XL")], {}, copies=0)
    assert encode(case, LetterReader(), concepts).is_new_known == 0.0


def test_without_torch_or_lines_the_command_says_so_and_writes_nothing(tmp_path, monkeypatch, wheel):
    rows = [make_row(message=f"message {number} by me", new="", change=CHANGES[number % 7]) for number in range(400)]
    monkeypatch.setitem(sys.modules, "factcheck.corrections.change_fit.descent", None)
    output = tmp_path / "changes.npz"
    with pytest.raises(CommandError, match=r"CONTRIBUTING\.md"):
        call_command("fit_changes", write(tmp_path / "en.jsonl", *rows), output=output, stdout=io.StringIO())
    with pytest.raises(CommandError, match="too few lines"):
        call_command("fit_changes", write(tmp_path / "en.jsonl", rows[0]), output=output, stdout=io.StringIO())
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("fit_changes", tmp_path / "none.jsonl", output=output, stdout=io.StringIO())
    assert not output.exists()
