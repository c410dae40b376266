"""Replies as characters talk, held against canon by rules: what is plainly false is found, and nothing else."""

from __future__ import annotations

import json

import pytest

from bench.claims import FOLDER, MAX_FALSE_ALARMS, MIN_RECALL, Case, is_caught, load_world
from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.clauses import split_clauses
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.quantities import find_quantities
from factcheck.core.tokens import tokenize
from tests.factcheck.replies.checks import check_reply

HARBOR = CanonArticle(
    slug="quillon-harbor",
    title="Quillon Harbor",
    text="Quillon Harbor was founded in 590 by Captain Maren Dusk. Fish may not be sold there after dusk.",
    fields={"founded_year": 590, "piers": 9},
)


def check(reply, question="", *articles):
    return check_reply(question, reply, *(articles or [HARBOR]))


@pytest.mark.parametrize(
    "reply",
    [
        "Well, Quillon Harbor was founded in 509, my friend.",
        "Oi, lad, pick any of them, we've got nineteen piers",
        "Nine? No, no. It has ninety piers, stranger.",
        "Long story. It was founded in six hundred and two, they never tell you that at school.",
    ],
)
def test_address_interjections_and_second_clauses_hide_no_false_claim(reply):
    assert check(reply, "Tell me about Quillon Harbor.").contradictions


@pytest.mark.parametrize(
    "reply",
    [
        "Well, Quillon Harbor was founded in 590, my friend.",
        "Oi, lad, pick any of them, we've got nine piers",
        "They say it has ninety piers.",
        "If it had ninety piers I would be rich.",
        "Ninety piers? Who told you that?",
        "We'll have ninety piers one day.",
        "It used to have twelve piers.",
        "Ha, ninety piers! I'm only joking.",
        "Some swear it has ninety piers. Nonsense.",
        "It does not have ninety piers.",
        "I own two piers myself.",
        "Three of the piers are rotten.",
        "The neighbouring harbor has twelve piers.",
    ],
)
def test_what_is_hedged_quoted_planned_or_true_is_no_contradiction(reply):
    assert not check(reply, "Tell me about Quillon Harbor.").contradictions


def test_what_is_near_is_a_suspect_that_names_canon():
    checked = check("They say it has ninety piers.", "Tell me about Quillon Harbor.")
    [suspect] = checked.suspects
    assert (suspect.rule, suspect.slug, suspect.expected) == ("number", "quillon-harbor", "9")


def test_a_finding_quotes_both_sides_word_for_word():
    reply = "Listen, lass: folk came late, and Quillon Harbor was founded in 509."
    [found] = check(reply).contradictions
    assert found.quote in reply
    assert found.canon_quote in HARBOR.text
    assert found.expected == "590"


def test_the_last_named_article_is_meant_by_a_pronoun():
    mill = CanonArticle("mill", "Dorn Mill", "Dorn Mill has four sails.")
    inn = CanonArticle("inn", "Dorn Inn", "Dorn Inn has six rooms.")
    assert check("Dorn Mill is old. It has seven sails.", "", mill, inn).contradictions
    assert not check("Dorn Mill is old. It has four sails.", "", mill, inn).contradictions


@pytest.mark.parametrize("world", ["veldmar", "quillon", "tarnholt"])
def test_the_replies_that_the_rules_were_developed_with_keep_their_figures(world):
    cases = load_world(FOLDER / f"{world}.jsonl", FOLDER / f"{world}_articles.json")
    denied = [case for case in cases if case.row["contradicts"]]
    true = [case for case in cases if not case.row["contradicts"]]
    assert sum(map(is_caught, denied)) >= MIN_RECALL * len(denied)
    assert sum(map(is_caught, true)) <= MAX_FALSE_ALARMS * len(true)


def test_true_replies_stay_true_where_all_articles_were_told():
    articles = json.loads((FOLDER / "veldmar_articles.json").read_text(encoding="utf-8"))
    canon = build_canon(
        [
            CanonArticle(each["slug"], each["title"], each["text"], tuple(each["aliases"]), each["fields"])
            for each in articles
        ],
        load_lexicon(),
    )
    rows = [json.loads(line) for line in (FOLDER / "veldmar.jsonl").read_text(encoding="utf-8").splitlines()]
    cases = [
        Case({**row, "told": [each["slug"] for each in articles]}, canon) for row in rows if not row["contradicts"]
    ]
    assert sum(map(is_caught, cases)) <= MAX_FALSE_ALARMS * len(cases)


@pytest.mark.parametrize(
    ("text", "value", "is_year"),
    [
        ("ten dozen", 120, False),
        ("four and forty years", 44, False),
        ("a hundred and fifty of them", 150, False),
        ("семь десятков да пятеро", 75, False),
        ("в четыреста двадцать первом году", 421, True),
        ("тысяч под двадцать", 20000, False),
        ("باثني عشر درهما", 12, False),
        ("共有十一孔", 11, False),
        ("in seven-twelve", 712, True),
        ("for 310 miles", 310, False),
    ],
)
def test_numbers_are_read_as_people_say_them(text, value, is_year):
    [found] = find_quantities(tokenize(text).words)
    assert (found.value, found.is_year) == (value, is_year)


def test_clauses_are_word_for_word_in_the_reply():
    reply = "Aye, lad! The bridge, mind you, has nine arches; it was built in 712, they say."
    for clause in split_clauses(reply, load_lexicon()):
        assert reply[clause.start : clause.start + len(clause.quote)] == clause.quote
