"""The features that rank messages of a dialogue, each by itself."""

from __future__ import annotations

import datetime as dt

import pytest

from knowledge.config import DEFAULT_FEATURES
from knowledge.search.core.bm25 import BM25Params, document_weights
from knowledge.search.core.lexemes import sparse_index
from knowledge.search.core.message_ranking import FEATURES, Pool, PoolMessage, PoolQuestion, build_features
from knowledge.text.analysis import lexeme_counts
from knowledge.text.questions import read_question

PARAMS = BM25Params(1.2, 0.5)
PIVOT = 24.0
DAY = dt.date(2024, 5, 10)


def make_message(seq, text="", *, terms=(), **more):
    counts = lexeme_counts(text)
    weights = document_weights(counts, length=counts.total(), pivot=PIVOT, params=PARAMS)
    defaults = {
        "id": seq,
        "conversation_id": 1,
        "seq": seq,
        "is_candidate": True,
        "match": 0.0,
        "length": counts.total(),
        "language": "en",
        "terms": [weights.get(sparse_index(term), 0.0) for term in terms],
        "said_on": DAY,
        "speaker": "user:",
        "head": text,
        "ending": text,
    }
    return PoolMessage(**{**defaults, **more})


def measure(name, messages, question="", *, weights=(), speakers=()):
    reading = read_question(question, today=DAY)
    pool = Pool(messages, PoolQuestion(reading, weights, speakers, PARAMS, PIVOT))
    return dict(
        zip([message.id for message in pool.messages], build_features(pool, [name])[:, 0].tolist(), strict=True)
    )


def test_every_feature_has_a_weight_and_every_weight_a_feature():
    assert set(DEFAULT_FEATURES) == set(FEATURES)


def test_neighbours_lend_what_they_match_and_long_messages_less():
    messages = [make_message(n, "word " * 10, match=1.0 if n == 3 else 0.0) for n in range(1, 6)]
    assert measure("near", messages) == {1: 0, 2: 1, 3: 0, 4: 1, 5: 0}
    assert measure("second", messages) == {1: 1, 2: 0, 3: 0, 4: 0, 5: 1}
    long = [message._replace(length=160) if message.seq == 4 else message for message in messages]
    assert measure("near", long)[4] == pytest.approx(0.5)
    lender = [message._replace(length=160) if message.seq == 3 else message for message in messages]
    assert measure("near", lender)[2] == pytest.approx(0.5)


def test_who_answers_a_matching_question_of_another_is_lent_its_match():
    asked = make_message(1, "When is the fair?", match=1.0)
    answer = make_message(2, "on the ninth", speaker="assistant:Mira")
    assert measure("reply", [asked, answer]) == {1: 0, 2: 1}
    assert measure("reply", [asked, answer._replace(speaker=asked.speaker)])[2] == 0
    assert measure("reply", [make_message(1, "The fair is near.", match=1.0), answer])[2] == 0
    assert measure("reply", [asked, answer._replace(conversation_id=2)])[2] == 0
    assert measure("reply", [asked, answer._replace(length=160)])[2] == pytest.approx(0.5)
    assert measure("reply", [asked]) == {1: 0}


def test_messages_of_other_conversations_and_far_ones_are_no_neighbours():
    one = make_message(1, "a", match=1.0)
    assert measure("near", [one, make_message(2, "b", conversation_id=2)])[2] == 0
    strangers = [one._replace(is_candidate=False), make_message(9, "b", is_candidate=False)]
    assert measure("near", strangers)[9] == 0
    # A candidate comes with the messages beside it: between places 1 and 3 of its conversation is nothing to be found.
    assert measure("near", [one, make_message(3, "b", is_candidate=False)])[3] == 1


def test_the_window_counts_words_that_stand_in_different_messages():
    terms = ("river", "boat")
    texts = ["the river is high", "we need the boat", "yes", "a river", "no", "no", "bread", "no", "no", "a boat"]
    messages = [make_message(n, text, terms=terms) for n, text in enumerate(texts, start=1)]
    found = measure("window", messages, weights=(1.0, 1.0))
    assert max(found, key=found.get) in (1, 2, 3)
    assert found[7] == 0
    assert found[3] > found[10] > 0


def test_the_window_is_closed_where_messages_are_long():
    messages = [make_message(n, "river " * 90, terms=("river",)) for n in range(1, 5)]
    assert set(measure("window", messages, weights=(1.0,)).values()) == {0.0}


def test_dates_count_from_the_period_to_a_week_after_it():
    days = {0: dt.date(2024, 4, 30), 1: dt.date(2024, 5, 3), 2: dt.date(2024, 5, 10), 3: dt.date(2024, 5, 21)}
    messages = [make_message(n, "x", said_on=day) for n, day in days.items()]
    found = measure("date", messages, "what happened on May 3, 2024?")
    assert (found[1], found[2]) == (1.0, 1.0)
    assert found[0] == pytest.approx(0.741, abs=1e-3)
    assert found[3] == pytest.approx(0.333, abs=1e-3)
    assert set(measure("date", messages, "what happened?").values()) == {0.0}


def test_speakers_words_of_time_questions_substance_and_neighbouring_words():
    yes, no = make_message(1, "I began yesterday, I said"), make_message(2, "Did you begin?", speaker="assistant:Mira")
    messages = [yes, no]
    assert measure("speaker", messages, speakers={"user:"}) == {1: 1, 2: 0}
    assert measure("when", messages, "when did I begin?") == {1: 1, 2: 0}
    assert measure("when", messages, "what did I begin?") == {1: 0, 2: 0}
    assert measure("question", messages) == {1: 0, 2: 1}
    substance = measure(
        "substance", [make_message(1, length=6), make_message(2, length=60), make_message(3, length=180)]
    )
    assert (substance[1], substance[2], substance[3]) == (pytest.approx(0.1), 1, 0)
    red = make_message(1, "a red silk dress", terms=("red", "dress"))
    apart = make_message(2, "red bread on the table, and a long blue dress", terms=("red", "dress"))
    adjacent = measure("adjacency", [red, apart], "which red silk dress?")
    assert adjacent[1] == 1
    assert adjacent[2] == 0


def test_chinese_lengths_count_words_and_not_lexemes():
    assert measure("substance", [make_message(1, length=60, language="zh")])[1] == pytest.approx(1 / 3)


def test_a_pool_of_nothing_has_no_rows():
    pool = Pool([], PoolQuestion(read_question("x", today=DAY), (), (), PARAMS, PIVOT))
    assert build_features(pool, ["near", "window"]).shape == (0, 2)
