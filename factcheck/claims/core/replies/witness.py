"""A model as a witness: what it is asked, the form of its answer, and the gate that its words must pass.

The model only points at two quotes. Whether they exist, and whether their values differ or one denies the other, is
decided here, by the rules; all else that it calls a contradiction is a suspect.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import check_reply_by_rules
from factcheck.claims.core.replies.findings import Finding
from factcheck.claims.core.replies.lexicon import Lexicon

MAX_CLAIMS = 24
MIN_QUOTE_LENGTH = 2
"""Characters: Chinese says a number and its noun in two."""
VERDICTS = ("contradicts", "agrees", "not_said")
ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["claims"],
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["quote", "passage", "passage_quote", "verdict"],
                "properties": {
                    "quote": {"type": "string"},
                    "passage": {"type": "integer"},
                    "passage_quote": {"type": "string"},
                    "verdict": {"type": "string", "enum": list(VERDICTS)},
                },
            },
        }
    },
}


@dataclass(frozen=True, slots=True)
class ToldPassage:
    """A passage of the pack, as the speaker was told it."""

    slug: str
    title: str
    text: str
    passage_id: int | None = None


@dataclass(frozen=True, slots=True)
class WitnessedClaim:
    """What the model says of one part of the reply."""

    quote: str
    passage: int
    passage_quote: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A contradiction that the model saw and the gate did not let through, and why."""

    claim: WitnessedClaim
    slug: str
    reason: str


@dataclass(frozen=True, slots=True)
class Testimony:
    """What the gate made of an answer."""

    findings: tuple[Finding, ...]
    doubts: tuple[Doubt, ...]


def write_witness_question(reply: str, *, question: str, passages: Sequence[ToldPassage]) -> str:
    """The player's words, the reply and the numbered passages as JSON."""
    numbered = [
        {"passage": number, "title": each.title, "text": each.text} for number, each in enumerate(passages, start=1)
    ]
    return json.dumps({"question": question, "reply": reply, "passages": numbered}, ensure_ascii=False)


def read_claims(answer: Mapping[str, Any]) -> tuple[WitnessedClaim, ...] | None:
    """The claims of an answer, at most MAX_CLAIMS; None where it is not in the form that was asked for."""
    listed = answer.get("claims")
    if not isinstance(listed, list):
        return None
    claims = []
    for each in listed[:MAX_CLAIMS]:
        if not isinstance(each, dict) or each.get("verdict") not in VERDICTS:
            return None
        quote, passage, passage_quote = each.get("quote"), each.get("passage"), each.get("passage_quote")
        if not isinstance(quote, str) or not isinstance(passage_quote, str):
            return None
        if isinstance(passage, bool) or not isinstance(passage, int):
            return None
        claims.append(WitnessedClaim(quote, passage, passage_quote, str(each["verdict"])))
    return tuple(claims)


def judge_claims(
    claims: Sequence[WitnessedClaim],
    *,
    reply: str,
    question: str,
    passages: Sequence[ToldPassage],
    articles: Sequence[CanonArticle],
    lexicon: Lexicon,
) -> Testimony:
    """The claimed contradictions whose quotes exist word for word and whose values differ; the others as doubts."""
    contradictions = _check_by_rules(reply, question, passages, articles, lexicon)
    findings: dict[str, Finding] = {}
    doubts: list[Doubt] = []
    for claim in claims:
        if claim.verdict != "contradicts":
            continue
        passage = passages[claim.passage - 1] if 1 <= claim.passage <= len(passages) else None
        if passage is None:
            doubts.append(Doubt(claim, "", "unknown_passage"))
            continue
        reason = _validate_quotes(claim, reply, passage)
        if reason is not None:
            doubts.append(Doubt(claim, passage.slug, reason))
            continue
        found = _find_difference(claim, passage, contradictions)
        if found is None:
            doubts.append(Doubt(claim, passage.slug, "no_difference"))
        else:
            findings.setdefault(found.quote, found)
    return Testimony(tuple(findings.values()), tuple(doubts))


def _validate_quotes(claim: WitnessedClaim, reply: str, passage: ToldPassage) -> str | None:
    said, told = _plain(claim.quote), _plain(claim.passage_quote)
    if len(said) < MIN_QUOTE_LENGTH or said not in _plain(reply):
        return "quote_not_found"
    if len(told) < MIN_QUOTE_LENGTH or told not in _plain(passage.text):
        return "passage_quote_not_found"
    return None


def _check_by_rules(
    reply: str,
    question: str,
    passages: Sequence[ToldPassage],
    articles: Sequence[CanonArticle],
    lexicon: Lexicon,
) -> tuple[Finding, ...]:
    """What the rules find with all that was told in view: one article alone seems to be what every reply is about."""
    whole = {article.slug: article for article in articles}
    for passage in passages:
        known = whole.get(passage.slug) or CanonArticle(passage.slug, passage.title, passage.text)
        if passage.text not in known.text:
            known = replace(known, text=f"{passage.text}\n\n{known.text}")
        whole[passage.slug] = known
    canon = build_canon(whole.values(), lexicon)
    told = [passage.slug for passage in passages]
    checked = check_reply_by_rules(_plain(reply), question=question, canon=canon, told=told, lexicon=lexicon)
    return checked.contradictions


def _find_difference(claim: WitnessedClaim, passage: ToldPassage, contradictions: Sequence[Finding]) -> Finding | None:
    """The finding of the rules that is about both quotes: the model has said which article and which sentence."""
    said, told = _plain(claim.quote), _plain(claim.passage_quote)
    for finding in contradictions:
        clause, sentence = _plain(finding.quote), _plain(finding.canon_quote)
        is_said = clause in said or said in clause
        is_told = finding.field is not None or told in sentence or sentence in told
        if finding.slug == passage.slug and is_said and is_told:
            return finding
    return None


def _plain(text: str) -> str:
    return " ".join(text.split())
