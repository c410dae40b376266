"""Proposals without a chat model: late answers, statements in two messages, what is known, what is taken back."""

import json

import numpy as np
import pytest

from factcheck.extraction.core.deltas import MAX_DELTAS, Operation, parse_deltas
from factcheck.extraction.core.given import Given
from factcheck.extraction.proposers.offline.odds import combine, estimate
from factcheck.extraction.proposers.offline.proposer import OfflineProposer
from factcheck.extraction.proposers.offline.range_reader import Statement
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.judges import Judgement
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.tagged_words import TaggedPieces
from factcheck.instant.core.value_choice import Candidate
from tests.factcheck.extraction.given import make_given, make_known
from tests.factcheck.instant.test_semantic import SURE, UNSURE, FixedScorer
from tests.factcheck.instant.test_tagger_model import make_model


@pytest.fixture(scope="module")
def proposer():
    """By patterns alone: no embedder is loaded."""
    return OfflineProposer(*load_shipped(), None)


def propose(proposer, *rows, facts=(), **options):
    given = make_given(*rows, facts=facts, **options)
    proposal = proposer.propose(given, language="en", timeout_seconds=5)
    assert parse_deltas(json.loads(proposal.answer)) == list(proposal.deltas)
    for delta in proposal.deltas:
        assert delta.quotes
        assert all(quote.text in given.find_message(quote.message).content for quote in delta.quotes)
    return {(delta.type, delta.key): delta for delta in proposal.deltas}


LATE = {
    "put off": (["A: Do you have any allergies?", "hm let me think", "A: Take your time.", "peanuts"], {"peanuts"}),
    "speaks on": (["A: Any food allergies?", "one sec", "shellfish and eggs"], {"shellfish", "eggs"}),
    "goes on": (["A: Any food allergies?", "peanuts", "oh and eggs"], {"peanuts", "eggs"}),
    "asks back": (["A: У вас есть аллергия?", "на еду?", "A: Да, на еду.", "мёд"], {"honey"}),
    "ru": (["A: У вас есть аллергия?", "секунду", "мёд и орехи"], {"honey", "nuts"}),
    "ar": (["A: عندك حساسية من شي؟", "ثواني افكر", "الفول السوداني"], {"peanuts"}),
    "zh": (["A: 你有什么过敏吗？", "等等我想想", "花生"], {"peanuts"}),
}


@pytest.mark.parametrize(("rows", "keys"), LATE.values(), ids=LATE)
def test_an_answer_that_was_put_off_is_proposed(proposer, rows, keys):
    found = propose(proposer, *rows)
    assert {key for _, key in found} == keys
    assert all(delta.confidence >= 0.8 for delta in found.values())


CLOSED = {
    "answered no": ["A: Do you have any allergies?", "no", "A: Great.", "peanuts please"],
    "another question": ["A: Any allergies?", "one sec", "A: And what shall I cook?", "peanuts"],
    "another subject": ["A: Any allergies?", "I went to the market today", "A: Nice.", "peanuts"],
    "next session": ["A: Any allergies?", "one sec", "---", "peanuts"],
    "nothing asked": ["A: We could cook peanuts.", "one sec", "peanuts"],
    "the deferral itself": ["A: Any allergies?", "секунду"],
}


@pytest.mark.parametrize("rows", CLOSED.values(), ids=CLOSED)
def test_a_question_that_is_closed_is_not_answered_later(proposer, rows):
    assert propose(proposer, *rows) == {}


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["i'm allergic to", "peanuts"], ("allergy", "peanuts")),
        (["у меня аллергия", "на орехи"], ("allergy", "nuts")),
        (["عندي حساسية من", "الفول السوداني"], ("allergy", "peanuts")),
        (["my budget is", "500 aed"], ("budget", "general")),
    ],
)
def test_a_statement_in_two_messages_is_proposed_with_both(proposer, rows, found):
    delta = propose(proposer, *rows)[found]
    assert [quote.message for quote in delta.quotes] == [1, 2]


@pytest.mark.parametrize(
    "rows",
    [
        ["i'm allergic to.", "peanuts"],
        ["i'm allergic to", "A: to what?", "nothing really", "peanuts for the squirrels"],
        ["she's allergic to", "peanuts"],
        ["i'm not allergic to", "peanuts"],
        ["i'm allergic to", "---", "peanuts"],
    ],
)
def test_two_whole_messages_are_not_joined(proposer, rows):
    assert ("allergy", "peanuts") not in propose(proposer, *rows)


def test_what_is_known_is_not_proposed_again(proposer):
    known = [make_known("allergy", "peanuts", "peanuts", days=1)]
    assert propose(proposer, "I'm allergic to peanuts", facts=known) == {}


def test_what_is_said_again_confirms_and_another_size_updates(proposer):
    known = [make_known("allergy", "peanuts", "peanuts"), make_known("body_params", "size", "M")]
    found = propose(proposer, "I'm allergic to peanuts", "my size is L", facts=known)
    confirmed, updated = found["allergy", "peanuts"], found["body_params", "size"]
    assert (confirmed.operation, confirmed.fact) == (Operation.CONFIRM, 1)
    assert (updated.operation, updated.fact, updated.value) == (Operation.UPDATE, 2, "L")


@pytest.mark.parametrize(
    "later", ["turns out I'm not allergic to peanuts", "jk not allergic to peanuts at all", "just kidding"]
)
def test_what_is_taken_back_later_is_not_proposed(proposer, later):
    assert propose(proposer, "I'm allergic to peanuts", later) == {}
    assert ("allergy", "peanuts") in propose(proposer, "I'm allergic to peanuts", "what a day")


def test_old_messages_others_words_and_fiction_propose_nothing(proposer):
    from dataclasses import replace

    given = make_given("I'm allergic to peanuts")
    old = Given(tuple(replace(message, is_new=False) for message in given.messages))
    assert proposer.propose(old, language="en", timeout_seconds=1).deltas == ()
    assert propose(proposer, "A: I'm allergic to peanuts") == {}
    assert propose(proposer, "I'm allergic to peanuts", frame="in_character") == {}
    assert propose(proposer, "my sister is allergic to peanuts") == {}


def test_talks_are_read_apart(proposer):
    one = make_given("A: Any allergies?", conversation_id=1)
    other = make_given("one sec", "peanuts", conversation_id=2)
    mixed = Given((*one.messages, *other.messages))
    assert proposer.propose(mixed, language="en", timeout_seconds=1).deltas == ()


def test_an_answer_has_no_more_deltas_than_may_be(proposer):
    things = "peanuts kiwi shrimp eggs milk soy wheat sesame honey mango crab lobster celery mustard lupin garlic onion"
    rows = [f"I'm allergic to {thing}" for thing in (*things.split(), "penicillin", "latex", "cats", "dogs", "pollen")]
    assert len(propose(proposer, *rows)) == MAX_DELTAS


def test_by_meaning_what_patterns_alone_left_is_proposed(wheel, settings):
    settings.INSTANT_SEMANTIC = "inline"
    from factcheck.instant.scorer import get_scorer

    statement = "crawdads swole my lips up like two hot dogs, catfish don't do a thing to me"
    compiled, concepts = load_shipped()
    assert propose(OfflineProposer(compiled, concepts, None), statement) == {}
    found = propose(OfflineProposer(compiled, concepts, get_scorer()), statement)
    assert found["allergy", "crayfish"].confidence >= 0.8


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([(0.6, 1)], 0.6),
        ([(0.6, 1), (0.6, 1)], 0.6),
        ([(0.6, 1), (0.5, 2)], 0.8),
        ([(0.3, session) for session in range(20)], 0.3),
        ([(0.5, session) for session in range(20)], 0.875),
        ([(0.9, 1), (0.9, 2)], 0.95),
    ],
)
def test_remarks_of_several_sessions_add_up_and_chatter_does_not(said, expected):
    assert combine(said) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("margin", "kind", "by_words", "is_enough"),
    [
        (1.5, 2.0, False, True), (1.0, 0.0, False, True), (0.9, 5.0, False, False), (3.0, -1.0, False, False),
        (1.0, 0.0, True, True), (3.0, -1.0, True, False), (0.9, 5.0, True, False),
    ],
)  # fmt: skip
def test_what_meaning_alone_finds_must_be_likelier_than_for_instant_hearing(
    proposer, margin, kind, by_words, is_enough
):
    fact, candidate = read_candidate(proposer)
    judged = Judgement(candidate, kind=kind, score=margin + 1, is_believed=True, by_words=by_words)
    odds = estimate(Statement(fact, 1, (), "meaning", judged, margin))
    assert (odds >= 0.8) is is_enough


def read_candidate(proposer, **found):
    statement = "I'm allergic to peanuts"
    (fact,) = extract_facts(
        statement, compiled=proposer.compiled, concepts=proposer.concepts, now=make_given(statement).messages[0].said_at
    )
    return fact, Candidate(fact, (0, 1), (0, 1), **found)


@pytest.mark.parametrize("by_words", [True, False])
def test_what_a_judge_refuses_of_a_pattern_is_not_likely_enough(proposer, by_words):
    fact, candidate = read_candidate(proposer, is_heard=True)
    refused = Judgement(candidate, kind=0.0, score=-5.0, is_believed=False, by_words=by_words)
    assert estimate(Statement(fact, 1, (), "pattern", refused)) < 0.8
    assert estimate(Statement(fact, 1, (), "pattern")) >= 0.8


class TwoJudges(FixedScorer):
    """Words say yes to everything, vectors to what they are told."""

    def __init__(self, logit):
        super().__init__(logit, refuse=0.0)
        self.tagger, self.version = make_model(accept=-9.0), "words+fixed"

    def tag(self, text):
        return TaggedPieces([(0, len(text))], np.full((1, 2), 4.0, np.float32), np.zeros(2, np.float32), np.zeros(3))


@pytest.mark.parametrize(("vectors", "is_proposed"), [(SURE, True), (UNSURE, False)])
def test_where_words_judge_vectors_are_asked_of_what_a_pattern_heard(vectors, is_proposed):
    compiled, concepts = load_shipped()
    scorer = TwoJudges(vectors)
    found = propose(OfflineProposer(compiled, concepts, scorer), "I'm allergic to hazelnuts")
    assert (("allergy", "hazelnuts") in found and found["allergy", "hazelnuts"].confidence >= 0.8) is is_proposed
    assert set(scorer.asked) == {"I'm allergic to hazelnuts"}
