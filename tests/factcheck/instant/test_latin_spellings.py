"""Copies of Arabic lines in Latin letters, to which layers are fitted."""

import numpy as np

from factcheck.instant.core.arabizi import make_arabizi_skeleton
from factcheck.instant.core.hearing_fit import KINDS
from factcheck.instant.core.labelled_lines import LabelledLine
from factcheck.instant.tagger_fit.latin_spellings import COPIES, Hand, TypedWords, respell_lines, spell_lines
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


def test_a_word_is_respelt_as_somebody_else_typed_it(compiled, concepts):
    lines = ["wallah 3andi 7asaseyya mn el gambari", "3andy hasasiya, w 3indu kalb", "3andi 3andi"]
    typed = TypedWords([read(each, "arabizi", compiled, concepts) for each in lines])
    assert set(typed.find_like("3andi")) == {"3andy"}
    assert typed.find_like("3andy") == ["3andi"] * 3
    assert typed.find_like("7asaseyya") == ["hasasiya"]
    assert typed.find_like("gambari") == []
    assert typed.find_like("bint") == []


def test_sizes_and_short_words_keep_their_letters():
    hands = [Hand(TypedWords([]), np.random.default_rng(seed)) for seed in range(40)]
    kept = ("oo", "ya", "75h", "250aed", "17500lbp")
    assert {hand.respell(word) for hand in hands for word in kept for _ in range(9)} == set(kept)
    assert len({hand.respell("3andoush") for hand in hands}) > 5


def test_a_sign_of_two_letters_is_one_sign():
    hands = [Hand(TypedWords([]), np.random.default_rng(seed)) for seed in range(40)]
    respelt = {hand.respell("khaloush") for hand in hands}
    assert len(respelt) > 3
    assert not any(broken in word for word in respelt for broken in ("k7", "s7", "uu", "oou"))
    assert {make_arabizi_skeleton(word) for word in respelt} == {make_arabizi_skeleton("khaloush")}


def test_a_copy_in_other_spellings_states_the_same(compiled, concepts):
    stated = ({"type": "allergy", "any_of": ["shrimp"], "span": "el gambari"},)
    text = "ya 5alty khalas, 3andy 7asasiya mn el gambari w el ka3ak, mesh 2ader akol 7aga"
    line = read(text, "arabizi", compiled, concepts, expected=stated)
    others = [read(text, "en", compiled, concepts), read("عندي حساسية", "ar", compiled, concepts)]
    copies = list(respell_lines([line, *others], LetterReader()))
    assert 0 < len(copies) <= COPIES
    for copy in copies:
        assert "".join(chr(number) for number in copy.numbers[2:-1]) != text
        thing = next(word for word in list_stated(line, copy) if len(word) > 2)
        assert thing[0] == "g"
        assert copy.kinds[ALLERGY] == 1.0
