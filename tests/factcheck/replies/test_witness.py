"""The gate: what a model calls a contradiction counts only where both quotes exist and deny each other."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bench.claims import FOLDER, Case, is_borne_out, load_world
from factcheck.claims.core.replies import witness
from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.clauses import split_clauses
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.lint import lint_article
from factcheck.claims.core.replies.witness import (
    MAX_CONTRADICTIONS,
    ToldPassage,
    WitnessedClaim,
    judge_claims,
    read_claims,
)
from factcheck.core.sentences import split_sentences

MILL = CanonArticle("mill", "Dorn Mill", "Dorn Mill has four sails. It was built in 802.")
INN = CanonArticle("inn", "Dorn Inn", "Dorn Inn has six rooms.")


class FixedJudge:
    """Says the same of all quotes, and remembers which it read."""

    def __init__(self, weight):
        self.weight, self.pairs = weight, []

    def weigh_quotes(self, pair):
        self.pairs.append(pair)
        return self.weight


def judge(reply, *claims, question="Tell me of the mill.", by=None):
    return judge_claims(
        claims,
        reply=reply,
        question=question,
        passages=[ToldPassage(each.slug, each.title, each.text) for each in (MILL, INN)],
        articles=[MILL, INN],
        lexicon=load_lexicon(),
        judge=by,
    )


def test_two_real_quotes_with_two_values_are_let_through():
    found = judge(
        "Aye,  it has\nseven sails.", WitnessedClaim("it has seven sails", 1, "has four  sails", "contradicts")
    )
    assert [(each.slug, each.expected) for each in found.findings] == [("mill", "4")]
    assert found.doubts == ()


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (WitnessedClaim("it has nine sails", 1, "has four sails", "contradicts"), "quote_not_found"),
        (WitnessedClaim("it has seven sails", 1, "has five sails", "contradicts"), "passage_quote_not_found"),
        (WitnessedClaim("it has seven sails", 2, "has four sails", "contradicts"), "passage_quote_not_found"),
        (WitnessedClaim("it has seven sails", 3, "has four sails", "contradicts"), "unknown_passage"),
        (WitnessedClaim("it has seven sails", 2, "has six rooms", "contradicts"), "no_difference"),
        (WitnessedClaim("it has seven sails", 1, "It was built in 802", "contradicts"), "no_difference"),
    ],
)
def test_all_else_is_a_doubt_with_its_reason(claim, reason):
    found = judge("Aye, it has seven sails.", claim)
    assert found.findings == ()
    assert [each.reason for each in found.doubts] == [reason]


SLEEPS = WitnessedClaim("it has not turned in years", 1, "It was built in 802", "contradicts")
SEVEN = WitnessedClaim("it has seven sails", 1, "has four sails", "contradicts")


def test_what_no_rule_knows_is_let_through_where_the_judge_bears_it_out():
    by = FixedJudge("denied")
    [found] = judge("Ah, it has not turned in years.", SLEEPS, by=by).findings
    assert (found.rule, found.slug, found.quote) == ("model", "mill", SLEEPS.quote)
    assert (found.canon_quote, found.expected) == (SLEEPS.passage_quote, None)
    [pair] = by.pairs
    assert (pair.title, pair.passage, pair.question) == ("Dorn Mill", MILL.text, "Tell me of the mill.")


def test_what_rules_find_too_is_told_as_they_tell_it():
    [found] = judge("Aye, it has seven sails.", SEVEN, by=FixedJudge("denied")).findings
    assert (found.rule, found.expected) == ("number", "4")


def test_where_the_judge_leaves_it_open_the_rules_decide():
    assert judge("Aye, it has seven sails.", SEVEN, by=FixedJudge("open")).findings
    doubted = judge("Ah, it has not turned in years.", SLEEPS, by=FixedJudge("open"))
    assert (doubted.findings, [each.reason for each in doubted.doubts]) == ((), ["no_difference"])


def test_what_the_judge_takes_for_true_is_in_doubt_whatever_rules_say():
    doubted = judge("Aye, it has seven sails.", SEVEN, by=FixedJudge("refuted"))
    assert (doubted.findings, [each.reason for each in doubted.doubts]) == ((), ["judge_disagrees"])


def test_the_judge_reads_no_quote_that_nobody_said():
    by = FixedJudge("denied")
    judge("Aye, it has seven sails.", replace(SEVEN, quote="it has nine sails"), replace(SEVEN, passage=7), by=by)
    assert by.pairs == []


def test_a_model_that_sees_contradictions_everywhere_is_not_believed():
    by = FixedJudge("denied")
    reply = "It has six sails, five doors, three wheels, eight cats and ten mice."
    parts = ("It has six sails", "five doors", "three wheels", "eight cats", "ten mice")
    claims = [WitnessedClaim(part, 1, "has four sails", "contradicts") for part in parts]
    found = judge(reply, *claims, by=by)
    assert (found.findings, by.pairs) == ((), [])
    assert [each.reason for each in found.doubts] == ["too_many_contradictions"] * len(parts)
    assert not found.is_believed
    assert len(judge(reply, *claims[:MAX_CONTRADICTIONS], by=by).findings) == MAX_CONTRADICTIONS


@pytest.mark.parametrize(
    ("part", "is_named"),
    [
        ("it has seven sails", True),
        ("Aye,  it has seven sails, friend.", True),
        ("seven", True),
        ("it was built in 802", False),
        ("seventy", False),
        ("sail", False),
    ],
)
def test_what_a_model_denies_is_found_by_whole_words(part, is_named):
    agreed = WitnessedClaim("four doors", 1, "has four sails", "agrees")
    heard = judge("Aye, it has seven sails and four doors, built in 802.", SEVEN, agreed)
    assert heard.is_believed
    assert heard.names(part) == is_named


def test_words_of_a_script_without_spaces_are_found_within():
    heard = judge("磨坊有七片帆。", WitnessedClaim("有七片帆", 1, "has four sails", "contradicts"))
    assert heard.names("磨坊有七片帆。")


def test_what_nobody_said_names_nothing_and_counts_nothing():
    invented = [replace(SEVEN, quote=f"it has {number} doors") for number in range(9)]
    heard = judge("Aye, it has seven sails.", SEVEN, *invented, SEVEN, by=FixedJudge("denied"))
    assert [each.quote for each in heard.quoted] == [SEVEN.quote]
    assert len(heard.findings) == 1
    assert not heard.names("it has 3 doors")


def test_a_model_that_says_nothing_is_not_believed():
    assert not judge("Aye, it has seven sails.").is_believed
    assert judge("Aye, it has four sails.", replace(SEVEN, verdict="agrees")).is_believed


@pytest.mark.parametrize("folder", ["witness", "careless"])
def test_recorded_answers_quote_word_for_word_and_are_of_the_replies_beside_them(folder):
    for path in sorted((FOLDER / "apart" / folder).glob("*.jsonl")):
        replies = {row["id"]: row for row in read_lines(FOLDER / "apart" / path.name)}
        articles = json.loads((FOLDER / "apart" / f"{path.stem}_articles.json").read_text("utf-8"))
        texts = {each["slug"]: each["text"] for each in articles}
        answers = read_lines(path)
        asked = [row["id"] for row in replies.values() if folder == "witness" or not row["contradicts"]]
        assert [row["id"] for row in answers] == asked
        for answer in answers:
            said = replies[answer["id"]]
            for claim in read_claims(answer):
                assert claim.quote in said["reply"]
                assert claim.passage_quote in texts[said["told"][claim.passage - 1]]


def read_lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("verdict", ["agrees", "not_said"])
def test_other_verdicts_are_neither(verdict):
    found = judge("It has seven sails.", WitnessedClaim("It has seven sails", 1, "has four sails", verdict))
    assert (found.findings, found.doubts) == ((), ())


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"claims": "none"},
        {"claims": [1]},
        {"claims": [{"quote": "a", "passage": True, "passage_quote": "b", "verdict": "agrees"}]},
        {"claims": [{"quote": "a", "passage": 1, "passage_quote": "b", "verdict": "false"}]},
        {"claims": [{"quote": None, "passage": 1, "passage_quote": "b", "verdict": "agrees"}]},
    ],
)
def test_an_answer_in_another_form_is_no_testimony(answer):
    assert read_claims(answer) is None


def list_all_pairs(case: Case) -> list[WitnessedClaim]:
    """What a model says that sees a contradiction between every clause and every sentence."""
    return [
        WitnessedClaim(clause.quote, number, sentence, "contradicts")
        for clause in split_clauses(case.row["reply"], load_lexicon())
        for number, article in enumerate(case.canon.articles, start=1)
        for sentence in split_sentences(article.text)
    ]


def test_whatever_is_quoted_of_true_replies_the_rules_let_nothing_through(monkeypatch):
    monkeypatch.setattr(witness, "MAX_CONTRADICTIONS", 10_000)
    cases = load_world(FOLDER / "veldmar.jsonl", FOLDER / "veldmar_articles.json")
    true = [case for case in cases if not case.row["contradicts"]][::4]
    assert not [case.row["id"] for case in true if is_borne_out(case, list_all_pairs(case))]


def test_a_draft_that_denies_its_own_fields_or_another_article_is_shown_both():
    draft = CanonArticle(
        "inn", "Dorn Inn", "Dorn Inn has eight rooms. It looks on Dorn Mill, which was built in 812.", (), {"rooms": 6}
    )
    found = lint_article(draft, [MILL, draft])
    assert [(each.slug, each.expected) for each in found] == [("inn", "6"), ("mill", "802")]
    fixed = CanonArticle(
        "inn", "Dorn Inn", "Dorn Inn has six rooms. It looks on Dorn Mill, which was built in 802.", (), {"rooms": 6}
    )
    assert lint_article(fixed, [MILL, fixed]) == []
