"""`manage.py fit_tagger`: what it writes, and what it says where it can't."""

import json
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from factcheck.instant.core.hearing_model import load_shipped_model
from factcheck.instant.core.tagger_model import load_shipped_tagger, read_tagger
from factcheck.management.commands import fit_tagger
from tests.factcheck.instant.test_tagger_fit import THINGS, WordTagger


@pytest.fixture
def lines(tmp_path):
    """Of every two things one is stated."""
    rows = [
        {
            "language": "en",
            "text": f"{one} kill me, {other} are fine, day {day}",
            "expect": [{"type": "allergy", "any_of": [one]}],
        }
        for day in range(3)
        for one in THINGS
        for other in THINGS
        if one != other
    ]
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_only_kinds_with_enough_right_values_are_judged_by_words(lines, tmp_path, monkeypatch):
    monkeypatch.setattr(fit_tagger, "load_states", lambda *_: None)
    monkeypatch.setattr(fit_tagger, "LayerTagger", lambda *_: WordTagger())
    out, path = StringIO(), tmp_path / "tagger.npz"
    call_command("fit_tagger", lines, "--choice-only", output=path, stdout=out)
    written = read_tagger(path)
    assert set(written.thresholds) == {"allergy"}
    assert (written.beside, written.kinds) == (load_shipped_model().version, load_shipped_tagger().kinds)
    assert f"version {written.version} written" in out.getvalue()
    assert {*written.layers} == {*load_shipped_tagger().layers}


def test_without_torch_it_says_where_to_read_and_writes_nothing(lines, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "factcheck.instant.tagger_fit.descent", None)
    with pytest.raises(CommandError, match=r"CONTRIBUTING\.md"):
        call_command("fit_tagger", lines, output=tmp_path / "tagger.npz", stdout=StringIO())
    assert not (tmp_path / "tagger.npz").exists()


def test_too_few_lines_are_refused(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"language": "en", "text": "hello", "expect": []}))
    with pytest.raises(CommandError, match="too few lines"):
        call_command("fit_tagger", path, "--choice-only", output=tmp_path / "tagger.npz", stdout=StringIO())
