"""The fitted layers: written and read again, and who judges where they are there."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from factcheck.instant.core.hearing_model import Thresholds
from factcheck.instant.core.skeleton_rows import TABLE_ROWS
from factcheck.instant.core.tagged_words import TaggedPieces
from factcheck.instant.core.tagger_model import TaggerModel, read_tagger, save_tagger
from factcheck.instant.core.word_choice import FEATURES, WordChoice
from tests.factcheck.instant.test_semantic import SURE, UNHEARD, UNSURE, FixedScorer

KINDS = ("allergy", "hard_ban")
EVENTS = ("move", "exam", "birth")


def make_model(
    *,
    accept: float = 0.0,
    refuse: float = -9.0,
    guarded: float = -99.0,
    found: float = -99.0,
    features: int = FEATURES,
    judged: tuple[str, ...] = KINDS,
    skeletons: int = TABLE_ROWS,
) -> TaggerModel:
    """`guarded` and `found` weigh that a guard speaks against a value, and that no reader knows it."""
    best = np.zeros(features, np.float32)
    best[2], best[16], best[19] = 1.0, guarded, found
    heads = {
        "norm.scale": np.ones(4, np.float32), "norm.shift": np.zeros(4, np.float32),
        "word": np.full((4, 2), 0.25, np.float32), "word.bias": np.zeros(2, np.float32),
        "text": np.ones((4, 2), np.float32), "text.bias": np.zeros(2, np.float32),
        "event": np.ones((4, 3), np.float32), "event.bias": np.zeros(3, np.float32),
        "skeletons": np.zeros((skeletons, 2), np.float32), "skeletons.up": np.ones((2, 4), np.float32),
    }  # fmt: skip
    layers = {"l4.qkv.down": np.full((4, 2), 0.5, np.float32)}
    thresholds = dict.fromkeys(judged, Thresholds(accept, refuse))
    choice = WordChoice(dict.fromkeys(KINDS, best))
    return TaggerModel("words", "fixed", "abc", KINDS, layers, heads, choice, thresholds, EVENTS, 0.75)


class WordScorer(FixedScorer):
    """Takes one word of each text for what is stated; vectors would say the opposite."""

    def __init__(self, stated: str, **limits: Any) -> None:
        super().__init__(UNSURE)
        self.tagger, self.version, self._stated = make_model(**limits), "words", stated
        self.tagged: list[str] = []

    def tag(self, text: str) -> TaggedPieces:
        self.tagged = list(dict.fromkeys([*self.tagged, text]))
        place = text.find(self._stated)
        spans = [(number, number + 1) for number in range(len(text))]
        logits = [[3.0 if place <= at < place + len(self._stated) else -3.0, -3.0] for at, _ in spans]
        return TaggedPieces(spans, np.array(logits, np.float32), np.array([1.0, -1.0], np.float32), np.zeros(3))


def test_a_tagger_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "tagger.npz"
    model = make_model(accept=0.5)
    save_tagger(model, path)
    read = read_tagger(path)
    assert (read.embedder, read.beside, read.kinds, read.thresholds) == ("fixed", "abc", KINDS, model.thresholds)
    assert read.layers["l4.qkv.down"].tolist() == model.layers["l4.qkv.down"].tolist()
    assert set(read.heads) == set(model.heads)
    assert (read.events, read.min_event) == (EVENTS, 0.75)
    assert read.choice.weights["allergy"].tolist() == model.choice.weights["allergy"].tolist()
    other = tmp_path / "other.npz"
    save_tagger(make_model(accept=0.6), other)
    assert len(read.version) == 8
    assert read.version != read_tagger(other).version


def test_a_word_has_the_mean_of_its_rows():
    model = make_model()
    model.heads["skeletons"][1:3] = [[1, 0], [0, 2]]
    assert model.build_word_vectors([(), (1,), (1, 2)]).tolist() == [[0.0] * 4, [1.0] * 4, [1.5] * 4]


def test_a_tagger_with_another_table_is_refused(tmp_path):
    path = tmp_path / "tagger.npz"
    save_tagger(make_model(skeletons=TABLE_ROWS // 2), path)
    with pytest.raises(ValueError, match="table of skeletons"):
        read_tagger(path)


def test_a_tagger_that_weighs_other_features_is_refused(tmp_path):
    path = tmp_path / "tagger.npz"
    save_tagger(make_model(features=FEATURES + 1), path)
    with pytest.raises(ValueError, match="other features"):
        read_tagger(path)


def test_words_judge_in_place_of_vectors(extract):
    scorer = WordScorer("hazelnut")
    (fact,) = extract(UNHEARD, scorer=scorer)
    assert (fact.type, fact.key, fact.pattern) == ("allergy", "hazelnuts", "semantic/allergy@words")
    assert (scorer.tagged, scorer.asked) == ([UNHEARD], [])


def test_a_value_whose_words_state_nothing_is_no_fact(extract):
    assert extract(UNHEARD, scorer=WordScorer("idea")) == []


def test_a_pattern_is_refused_below_its_own_limit(extract):
    text = "hazelnuts give me hives. I'm allergic to latex"
    assert {fact.key for fact in extract(text, scorer=WordScorer("latex", refuse=1.0))} == {"latex"}
    kept = extract(text, scorer=WordScorer("latex", refuse=-2.0))
    assert {fact.key for fact in kept} == {"hazelnuts", "latex"}
    assert not any(fact.pattern.startswith("semantic/") for fact in kept)


def test_what_alone_protects_is_kept_in_doubt_where_words_are_not_certain(extract):
    (kept,) = extract("hazelnuts give me hives", scorer=WordScorer("nothing", refuse=9.0))
    assert (kept.key, kept.is_doubtful) == ("hazelnuts", True)


def test_against_a_guard_words_are_believed_where_they_outweigh_it(extract):
    text = "my brother swells up from hazelnuts every time"
    assert extract(text, scorer=WordScorer("hazelnuts", guarded=-2.0)) == []
    (fact,) = extract(text, scorer=WordScorer("hazelnuts", guarded=-1.0))
    assert (fact.type, fact.key) == ("allergy", "hazelnuts")


@pytest.mark.parametrize(
    ("text", "stated", "key", "value"),
    [
        ("quillwort brings me out in hives", "quillwort", "quillwort", "quillwort"),
        ("the nurse said it: bog asphodel and me are over", "bog asphodel", "bog_asphodel", "bog asphodel"),
    ],
)
def test_a_thing_that_no_reader_knows_is_found_by_its_words(extract, text, stated, key, value):
    assert extract(text, scorer=WordScorer(stated)) == []
    (fact,) = extract(text, scorer=WordScorer(stated, found=0.0))
    assert (fact.type, fact.key, fact.value, fact.quote) == ("allergy", key, value, stated)


def test_vectors_believe_nothing_that_no_reader_knows(extract):
    scorer = WordScorer("quillwort", found=0.0, judged=("hard_ban",))
    scorer.model = FixedScorer(SURE).model
    assert extract("quillwort brings me out in hives", scorer=scorer) == []


@pytest.mark.parametrize(
    "text",
    [
        "my brother: quillwort brings him out in hives",
        "> quillwort brings me out in hives",
        "Anna: quillwort brings me out in hives",
    ],
)
def test_what_others_say_is_not_found(extract, text):
    assert extract(text, scorer=WordScorer("quillwort", found=0.0)) == []


def test_an_answer_is_read_behind_its_question(extract):
    scorer = WordScorer("quillwort", found=0.0)
    (fact,) = extract("quillwort i guess", scorer=scorer, previous="Hm. Which plants make you ill?")
    assert (fact.key, fact.start, fact.end) == ("quillwort", 0, 9)
    assert scorer.tagged == ["which plants make you ill?\nquillwort i guess"]


def test_a_kind_that_the_tagger_has_no_limits_for_is_judged_by_vectors(extract):
    text = "please, no spiders in our stories ever"
    scorer = WordScorer("nothing", judged=())
    assert [fact.key for fact in extract(text, scorer=scorer)] == ["spiders"]
    assert (scorer.tagged, scorer.asked) == ([], [text])
    scorer = WordScorer("spiders", judged=())
    scorer.model = FixedScorer(UNSURE, refuse=0.0).model
    assert extract(text, scorer=scorer) == []


def test_each_fact_names_the_weights_that_judged_it(extract):
    scorer = WordScorer("hazelnut")
    scorer.model = FixedScorer(SURE).model
    (fact,) = extract(UNHEARD, scorer=scorer)
    assert fact.pattern.endswith("@words")
    scorer.tagger = replace(scorer.tagger, thresholds={})
    (fact,) = extract(UNHEARD, scorer=scorer)
    assert fact.pattern.endswith("@fixed")
