"""Words with the odds that they state a thing, and what is believed of the values that they are part of."""

from dataclasses import replace

import numpy as np
import pytest

from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.tagged_words import EventOdds, TaggedPieces, list_words, tag_words
from factcheck.instant.core.value_choice import Candidate
from factcheck.instant.core.word_choice import FEATURES, WordChoice, list_features

KINDS = ("allergy", "hard_ban")


class FixedTagger:
    """Finds what it is told to find, in halves of words."""

    def __init__(self, stated: str, logit: float = 4.0) -> None:
        self._stated, self._logit = stated, logit

    def tag(self, text: str) -> TaggedPieces:
        spans: list[Span] = []
        rows = []
        place = text.find(self._stated)
        for start in range(0, len(text), 2):
            inside = place >= 0 and start < place + len(self._stated) and start + 2 > place
            spans.append((start, min(start + 2, len(text))))
            rows.append([self._logit if inside else -4.0, -6.0])
        spans.append((-1, -1))
        rows.append([9.0, 9.0])
        return TaggedPieces(
            spans, np.array(rows, dtype=np.float32), np.array([2.0, -2.0], dtype=np.float32), np.zeros(3)
        )


class Silent:
    """Knows no piece of anything."""

    def tag(self, text: str) -> TaggedPieces:
        return TaggedPieces([], np.zeros((0, len(text) and 2), np.float32), np.zeros(2, np.float32), np.zeros(3))


def tag(text: str, stated: str):
    message = fold_message(text)
    return message, tag_words(message, (0, len(text)), FixedTagger(stated))


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I swell up from hazelnuts, really", "hazelnuts"),
        ("Меня раздувает от ОРЕХОВ сразу", "ОРЕХОВ"),
        ("المكسرات تخنقني", "المكسرات"),
    ],
)
def test_a_word_has_the_odds_of_its_pieces(text, stated):
    _, tagged = tag(text, stated)
    likely = [
        text[slice(*word.source)]
        for word, row in zip(tagged.words, tagged.logits, strict=True)
        if row[0] > 0
    ]  # fmt: skip
    assert stated in likely
    assert len(likely) <= 2
    assert tagged.about.tolist() == [2.0, -2.0]


def test_what_stands_for_a_space_belongs_to_no_word():
    _, tagged = tag("so how was your day", "nothing of it")
    assert (tagged.logits[:, 0] == -4.0).all()


def test_of_a_part_only_its_words_are_tagged():
    text = "Hello there. I swell up from hazelnuts. Bye now."
    message = fold_message(text)
    tagged = tag_words(message, (13, 39), FixedTagger("hazelnuts"))
    assert [word.text for word in tagged.words] == ["i", "swell", "up", "from", "hazelnuts"]
    assert tagged.logits[-1, 0] == 4.0


def test_a_word_without_a_piece_states_nothing():
    message = fold_message("hazelnuts")
    assert (tag_words(message, (0, 9), Silent()).logits < -5).all()


def make_candidate(message, word, *, is_heard=False, guards=frozenset()):
    found = next(each for each in list_words(message) if each.text == word)
    fact = ExtractedFact("allergy", word, word, "en", 1.0, "pattern", found.start, found.end, word)
    return Candidate(fact, (found.start, found.end), (0, len(message.text)), is_heard=is_heard, guards=guards)


def test_the_words_beside_a_value_count():
    text = "root vegetables make me swell"
    message, tagged = tag(text, "root vegetables")
    narrow = list_features(make_candidate(message, "vegetables"), message.text, tagged, 0)
    other, apart = tag(text.replace("root ", "root, "), "vegetables")
    whole = list_features(make_candidate(other, "vegetables"), other.text, apart, 0)
    assert len(narrow) == len(whole) == FEATURES
    edge, is_part = 13, 14
    assert (narrow[edge], narrow[is_part]) == (1.0, 1.0)
    assert whole[edge] < 0
    assert whole[is_part] == 0.0


def test_a_value_that_is_tagged_is_likelier_than_one_that_is_not():
    message, tagged = tag("hazelnuts make me swell, almonds are fine", "hazelnuts")
    weights = np.zeros(FEATURES, np.float32)
    weights[3] = 1.0
    choice = WordChoice({"allergy": weights})
    stated, other = (
        choice.score(make_candidate(message, word), message.text, tagged, 0, "allergy")
        for word in ("hazelnuts", "almonds")
    )
    assert stated > 0 > other


def test_each_kind_of_guard_counts_by_itself():
    message, tagged = tag("peanuts make me swell?", "peanuts")
    asked, others = (
        list_features(make_candidate(message, "peanuts", guards=frozenset({kind})), message.text, tagged, 0)
        for kind in ("question", "other_subject")
    )
    assert np.flatnonzero(asked != others).tolist() == [FEATURES - 6, FEATURES - 5]
    unknown = make_candidate(message, "peanuts", guards=frozenset({"of_the_installation"}))
    assert not list_features(unknown, message.text, tagged, 0)[FEATURES - 6 :].any()


def test_words_have_the_odds_of_events_of_their_pieces():
    class EventTagger(FixedTagger):
        def tag(self, text: str) -> TaggedPieces:
            tagged = super().tag(text)
            rows = [[4.0, 0.0] if start < len("papers") else [0.0, 1.0] for start, _ in tagged.spans]
            return replace(tagged, events=EventOdds(("divorce", "exam"), np.array(rows, np.float32), 0.9))

    tagged = tag_words(fold_message("papers tomorrow"), (0, 15), EventTagger("papers"))
    assert tagged.events.name_event([0]) == "divorce"
    assert tagged.events.name_event([1]) == ""
    assert tagged.events.name_event([]) == ""
    assert tagged.events.weigh([0, 1]).sum() == pytest.approx(1.0)
