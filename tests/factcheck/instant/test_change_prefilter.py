"""The prefilter before the layers that read changes: what it lets through, where it says nothing, and its fit."""

import io
import json
from types import SimpleNamespace

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from factcheck.instant import change_reader
from factcheck.instant.actions.extraction import read_message
from factcheck.instant.change_reader import may_change
from factcheck.instant.core.change_prefilter import (
    CHANGING,
    ChangePrefilter,
    load_shipped_prefilter,
    read_prefilter,
    save_prefilter,
)
from factcheck.instant.core.corrections import may_correct
from factcheck.instant.core.judges import MAX_WINDOW
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.statement_kinds import KindModel
from factcheck.instant.core.tagger_model import load_shipped_tagger
from factcheck.management.commands import fit_change_prefilter

UNKNOWN_TO_RULES = (
    ("", "Katherine, please"),
    ("Do you have enough boxes for the 18th?", "got plenty and won't need one. buyer pulled out last night"),
    ("", "вместо турции взяли абхазию, детям там проще"),
    ("", "غيرنا رأينا لقينا حجز أرخص بنروح طرابزون بدالها"),
    ("", "she left me on tuesday. so"),
)


def make_prefilter(**changes):
    network = KindModel(
        kinds=(CHANGING,), hidden=np.array([[1], [0]], np.float32), hidden_bias=np.zeros(1, np.float32),
        output=np.ones((1, 1), np.float32), output_bias=np.array([-1], np.float32),
    )  # fmt: skip
    given = {"tagger": "v1", "network": network, "limit": 0.5}
    return ChangePrefilter(**{**given, **changes})


def test_a_message_is_let_through_from_the_limit_on():
    prefilter = make_prefilter()
    assert [prefilter.lets_through(np.array([first, 9], np.float32)) for first in (1.0, 1.5, 2.0)] == [
        False,
        True,
        True,
    ]


def test_a_prefilter_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "prefilter.npz"
    save_prefilter(make_prefilter(), path)
    again = read_prefilter(path)
    assert (again.tagger, again.limit) == ("v1", 0.5)
    assert again.score(np.array([[2, 0]], np.float32)) == [1.0]


def test_a_file_of_something_else_is_no_prefilter(tmp_path):
    path = tmp_path / "prefilter.npz"
    save_prefilter(make_prefilter(), path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match="cut off"):
        read_prefilter(path)


def test_the_prefilter_that_ships_is_for_the_layers_that_ship():
    assert load_shipped_prefilter().tagger == load_shipped_tagger().version


@pytest.fixture
def layers(monkeypatch):
    """Layers that count their texts; a message with an x may change something."""
    texts = []

    def tag(text):
        texts.append(text)
        return SimpleNamespace(mean=np.array([2 * ("x" in text), 0], np.float32))

    scorer = SimpleNamespace(tagger=SimpleNamespace(version="v1"), tag=tag)
    monkeypatch.setattr(change_reader, "get_scorer", lambda: scorer)
    monkeypatch.setattr(change_reader, "_load_prefilter", make_prefilter)
    return SimpleNamespace(texts=texts, scorer=scorer)


def test_a_message_is_read_behind_the_question_that_it_answers(layers):
    assert may_change("x", previous="")
    assert not may_change("y", previous="")
    assert may_change("x", previous="What is your shoe size?")
    assert layers.texts[-1].endswith("?\nx")


def test_longer_messages_are_left_to_rules(layers):
    assert may_change("x" * MAX_WINDOW, previous="")
    assert not may_change("x" * (MAX_WINDOW + 1), previous="")


def test_states_of_other_layers_mean_nothing(layers):
    layers.scorer.tagger.version = "v2"
    assert not may_change("x", previous="")


def test_without_layers_or_weights_rules_decide_alone(layers, monkeypatch):
    monkeypatch.setattr(change_reader, "_load_prefilter", lambda: None)
    assert not may_change("x", previous="")
    layers.scorer.tagger = None
    assert not may_change("x", previous="")
    monkeypatch.setattr(change_reader, "get_scorer", lambda: None)
    assert not may_change("x", previous="")


def read(text, previous, **changes):
    given = {"tenant_id": 1, "role": "user", "mode": "unknown", "said_at": SAID_AT, "end_user_id": 1}
    return read_message(content=text, previous=previous, **{**given, **changes})


@pytest.mark.django_db
@pytest.mark.parametrize(("previous", "text"), UNKNOWN_TO_RULES)
def test_changes_in_words_that_no_rule_knows_are_asked_about(previous, text, compiled, settings):
    settings.INSTANT_SEMANTIC = "inline"
    assert not may_correct(text, compiled=compiled)
    assert read(text, previous).may_correct
    assert not read(text, previous, by_meaning=False).may_correct
    assert not read(text, previous, mode="in_character").may_correct


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["what time is it in tokyo", "какая погода завтра", "كم الساعة", "讲个笑话", "lol"])
def test_ordinary_talk_is_not(text, settings):
    settings.INSTANT_SEMANTIC = "inline"
    assert not read(text, "").may_correct


class LetterTagger:
    """The mean of a text says how often it has an x."""

    model = SimpleNamespace(version="v1")

    def tag(self, text):
        return SimpleNamespace(mean=np.array([text.count("x"), len(text) % 3], np.float32))


def test_the_command_fits_a_prefilter_and_says_what_it_is_worth(tmp_path, monkeypatch, settings):
    monkeypatch.setattr(fit_change_prefilter, "load_tagger", lambda _: LetterTagger())
    settings.BASE_DIR = tmp_path
    (tmp_path / "qa" / "facts").mkdir(parents=True)
    rows = [{"message": f"x{number}x", "asked": "", "change": "ends"} for number in range(60)]
    (tmp_path / "lines.jsonl").write_text("\n".join(map(json.dumps, rows)))
    talk = [{"text": f"talk {number}", "language": "en", "expect": []} for number in range(200)]
    (tmp_path / "qa" / "facts" / "talk.jsonl").write_text("\n".join(map(json.dumps, talk)))
    out = io.StringIO()
    call_command("fit_change_prefilter", tmp_path / "lines.jsonl", output=tmp_path / "prefilter.npz", stdout=out)
    prefilter = read_prefilter(tmp_path / "prefilter.npz")
    assert prefilter.tagger == "v1"
    assert prefilter.lets_through(np.array([2, 1], np.float32))
    kept = sum(fit_change_prefilter._is_kept(row["message"]) for row in rows)
    assert f"{kept} of {kept} changes kept apart" in out.getvalue()


def test_the_command_needs_layers_and_lines_of_both_kinds(tmp_path, monkeypatch, settings):
    settings.BASE_DIR = tmp_path
    monkeypatch.setattr(fit_change_prefilter, "load_tagger", lambda _: None)
    with pytest.raises(CommandError, match="do not run here"):
        call_command("fit_change_prefilter")
    monkeypatch.setattr(fit_change_prefilter, "load_tagger", lambda _: LetterTagger())
    with pytest.raises(CommandError, match="both kinds"):
        call_command("fit_change_prefilter")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("fit_change_prefilter", tmp_path / "none.jsonl")
