"""The gate: what a model calls a contradiction counts only where both quotes exist and their values differ."""

from __future__ import annotations

import pytest

from bench.claims import FOLDER, _claim_everything, is_borne_out, load_world
from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.lint import lint_article
from factcheck.claims.core.replies.witness import ToldPassage, WitnessedClaim, judge_claims, read_claims

MILL = CanonArticle("mill", "Dorn Mill", "Dorn Mill has four sails. It was built in 802.")
INN = CanonArticle("inn", "Dorn Inn", "Dorn Inn has six rooms.")


def judge(reply, *claims, question="Tell me of the mill."):
    return judge_claims(
        claims,
        reply=reply,
        question=question,
        passages=[ToldPassage(each.slug, each.title, each.text) for each in (MILL, INN)],
        articles=[MILL, INN],
        lexicon=load_lexicon(),
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


def test_a_model_that_claims_everything_gets_nothing_through():
    cases = load_world(FOLDER / "veldmar.jsonl", FOLDER / "veldmar_articles.json")
    true = [case for case in cases if not case.row["contradicts"]][::4]
    assert not [case.row["id"] for case in true if is_borne_out(case, _claim_everything(case))]


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
