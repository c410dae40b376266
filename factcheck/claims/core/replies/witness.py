"""A model as a witness: what it is asked, the form of its answer, and the gate that its words must pass.

The model only points at two quotes. Whether they exist is decided here; whether one denies the other by the fitted
judge, which reads the two, and by the rules. All else that it calls a contradiction is a suspect.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import check_reply_by_rules
from factcheck.claims.core.replies.findings import Finding
from factcheck.claims.core.replies.lexicon import Lexicon

MAX_CLAIMS = 24
MAX_CONTRADICTIONS = 4
"""A model that sees more in one reply is not believed: of 485 in which a good one saw any it named two in sixteen."""
_LETTER = "[^\\W_\u3400-\u9fff]"
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
class QuotedPair:
    """Words of a reply and words of canon that are said to deny them, each with what it stands in."""

    question: str
    reply: str
    quote: str
    title: str
    passage: str
    passage_quote: str


QuoteWeight = Literal["denied", "open", "refuted"]


class QuoteJudge(Protocol):
    """What reads two quotes beside each other."""

    def weigh_quotes(self, pair: QuotedPair) -> QuoteWeight:
        """Whether canon denies the reply there, may deny it, or bears it out."""
        ...


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
    quoted: tuple[WitnessedClaim, ...]
    """The contradictions whose quotes exist word for word, whatever came of them."""
    is_believed: bool
    """Whether the model said anything, and did not see contradictions everywhere."""

    def names(self, quote: str) -> bool:
        """Whether the model calls a part of the reply, or what that stands in, a contradiction."""
        return any(_holds(quote, each.quote) or _holds(each.quote, quote) for each in self.quoted)


def _holds(text: str, part: str) -> bool:
    """Whether a text holds the words of another, whole ones where its script parts them."""
    return re.search(rf"(?<!{_LETTER}){re.escape(_plain(part))}(?!{_LETTER})", _plain(text)) is not None


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
    judge: QuoteJudge | None = None,
) -> Testimony:
    """The claimed contradictions whose quotes exist word for word and deny each other; the others as doubts.

    Without a judge only what the rules find themselves is let through.
    """
    contradictions = _check_by_rules(reply, question, passages, articles, lexicon)
    denying = dict.fromkeys(claim for claim in claims if claim.verdict == "contradicts")
    checked = [(claim, *_find_quotes(claim, reply, passages)) for claim in denying]
    quoted = tuple(claim for claim, _, reason in checked if not reason)
    is_believed = len(quoted) <= MAX_CONTRADICTIONS
    findings: dict[str, Finding] = {}
    doubts: list[Doubt] = []
    for claim, passage, fault in checked:
        reason = fault or ("" if is_believed else "too_many_contradictions")
        if passage is not None and not reason:
            by_rules = _find_difference(claim, passage, contradictions)
            weight = _weigh(claim, passage, reply, question, judge)
            if weight == "refuted":
                reason = "judge_disagrees"
            elif by_rules is None and weight != "denied":
                reason = "no_difference"
            else:
                found = by_rules or _describe(claim, passage)
                findings.setdefault(found.quote, found)
        if reason:
            doubts.append(Doubt(claim, passage.slug if passage else "", reason))
    return Testimony(tuple(findings.values()), tuple(doubts), quoted, is_believed=bool(claims) and is_believed)


def _weigh(
    claim: WitnessedClaim, passage: ToldPassage, reply: str, question: str, judge: QuoteJudge | None
) -> QuoteWeight:
    if judge is None:
        return "open"
    pair = QuotedPair(question, reply, claim.quote, passage.title, passage.text, claim.passage_quote)
    return judge.weigh_quotes(pair)


def _describe(claim: WitnessedClaim, passage: ToldPassage) -> Finding:
    """What only the model pointed at and the judge bears out."""
    return Finding(
        is_contradiction=True,
        rule="model",
        quote=_plain(claim.quote),
        slug=passage.slug,
        canon_quote=_plain(claim.passage_quote),
        expected=None,
        field=None,
    )


def _find_quotes(claim: WitnessedClaim, reply: str, passages: Sequence[ToldPassage]) -> tuple[ToldPassage | None, str]:
    """The passage that a claim is about, and what is wrong with its quotes; nothing where both exist."""
    passage = passages[claim.passage - 1] if 1 <= claim.passage <= len(passages) else None
    if passage is None:
        return None, "unknown_passage"
    said, told = _plain(claim.quote), _plain(claim.passage_quote)
    if len(said) < MIN_QUOTE_LENGTH or said not in _plain(reply):
        return passage, "quote_not_found"
    if len(told) < MIN_QUOTE_LENGTH or told not in _plain(passage.text):
        return passage, "passage_quote_not_found"
    return passage, ""


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
