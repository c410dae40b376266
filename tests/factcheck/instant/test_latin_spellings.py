"""Copies of Arabic lines in Latin letters, to which layers are fitted."""

import numpy as np

from factcheck.instant.core.hearing_fit import KINDS
from factcheck.instant.core.labelled_lines import LabelledLine
from factcheck.instant.tagger_fit.latin_spellings import COPIES, Hand, TypedWords, spell_lines
from factcheck.instant.tagger_fit.lines import read_line
from tests.factcheck.instant.test_tagger_fit import LetterReader, list_stated

ALLERGY = KINDS.index("allergy")


def read(text, language, compiled, concepts, *, expected=(), previous=""):
    return read_line(LabelledLine(text, language, expected, previous), compiled, concepts)


def test_a_copy_states_the_same_in_other_letters(compiled, concepts):
    stated = ({"type": "allergy", "any_of": ["جمبري"], "span": "الجمبري"},)
    line = read("عندي حساسية من الجمبري، ٣ مرات", "ar", compiled, concepts, expected=stated)
    copies = list(spell_lines([line], LetterReader()))
    assert len(copies) == COPIES
    for copy in copies:
        text = "".join(chr(number) for number in copy.numbers[2:-1])
        assert text.isascii()
        assert ", 3 " in text
        (thing,) = {word for word in list_stated(line, copy) if len(word) > 2}
        assert "g" in thing or "j" in thing
        assert copy.kinds[ALLERGY] == 1.0


def test_the_question_is_spelt_as_its_answer_is(compiled, concepts):
    line = read("جمبري", "ar", compiled, concepts, previous="ما الذي يسبب لك حساسية؟")
    for copy in spell_lines([line], LetterReader()):
        assert "".join(chr(number) for number in copy.numbers[2:-1]).isascii()


def test_other_languages_have_no_copy(compiled, concepts):
    lines = [read("peanuts kill me", "en", compiled, concepts), read("3andi 7asasiya", "arabizi", compiled, concepts)]
    assert list(spell_lines(lines, LetterReader())) == []


def test_words_are_spelt_as_somebody_typed_them(compiled, concepts):
    typed = TypedWords([read("wallah 3andi 7asaseyya mn el gambari", "arabizi", compiled, concepts)])
    assert typed.find("عندي") == ["3andi"]
    assert typed.find("حساسية") == ["7asaseyya"]
    assert typed.find("فراولة") == []
    hand = Hand(typed, np.random.default_rng(1))
    assert "3andi" in {hand.spell("عندي") for _ in range(9)}


def test_a_hand_keeps_to_its_habits(compiled, concepts):
    hand = Hand(TypedWords([]), np.random.default_rng(1))
    signs = {hand.spell("حوح")[0] for _ in range(9)}
    assert len(signs) == 1
    assert hand.spell("حُــوح") == hand.spell("حوح")
