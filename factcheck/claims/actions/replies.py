"""Holding an NPC's reply against canon: by rules, by the judge and, where one is asked, by a model that must quote."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import structlog

from factcheck.claims.actions.claims import EXCERPT_LENGTH, record_contradiction
from factcheck.claims.core.field_comparison import compare_claim, is_question
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import check_reply_by_rules
from factcheck.claims.core.replies.clauses import split_clauses
from factcheck.claims.core.replies.findings import Finding
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.witness import (
    ANSWER_SCHEMA,
    Testimony,
    ToldPassage,
    judge_claims,
    read_claims,
    write_witness_question,
)
from factcheck.claims.judge import Judgement, ReplyJudge, find_judge, is_quoted_in, weigh_judgements
from factcheck.claims.selectors.replies import ReplyCanon, load_reply_canon
from factcheck.core.sentences import FEWEST_CHARACTERS, compare_sentences, split_sentences
from factcheck.core.tokens import tokenize
from factcheck.core.verdicts import Source
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease
from memoryproject.breaker import CircuitBreaker
from memoryproject.chat_model import ChatReply, ModelUnavailable, find_check_model
from memoryproject.database import release_connections

log = structlog.get_logger("memory37.replies")
BREAKER = CircuitBreaker()
"""Of the model that checks: one that is down costs three turns its time limit, then the rules answer alone."""

_JUDGE_FAILURES = (RuntimeError, ValueError, OSError)
"""What the engine under the judge raises: the rules answer alone."""
MAX_SENTENCES = 16
"""So many sentences of a reply are held against fields and sentences as whole claims."""
MAX_SENTENCE_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class ReplyContradiction:
    """A part of a reply that canon says otherwise, where canon says so, and what found it."""

    claim: str
    source: Source
    expected: Any
    explanation: str
    found_by: str
    """`fields`, `sentences`, `clauses`, `judge` or `model`."""


@dataclass(frozen=True, slots=True)
class ReplySuspect:
    """A part of a reply that is near something that canon says: nothing follows from it."""

    claim: str
    slug: str
    excerpt: str
    found_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReplyVerdict:
    """What canon says to a reply."""

    contradictions: tuple[ReplyContradiction, ...] = ()
    suspects: tuple[ReplySuspect, ...] = ()
    claims: int = 0
    """How many clauses were held against canon."""
    checked_by: str = "off"
    """`off`, `rules` or `model`: the strongest part that did answer."""
    judge_version: str = ""
    """Of the weights of the judge that read it; empty where none did."""
    degraded: tuple[str, ...] = ()
    calls: tuple[ChatReply, ...] = ()
    """Answers of the model, for their cost."""


@dataclass(frozen=True, slots=True)
class WitnessRequest:
    """How a model is asked; `passages` are those of the speaker's pack, and nothing else goes into the call."""

    system: str
    passages: tuple[ToldPassage, ...]
    timeout_seconds: float
    max_tokens: int


def check_reply_claims(
    reply: str,
    *,
    question: str,
    release: ResolvedRelease,
    npc_id: str,
    told: Iterable[str],
    witness: WitnessRequest | None = None,
) -> ReplyVerdict:
    """What canon, as far as the NPC may know it, says to the reply: by rules, by the judge of this process, and by a
    model where one is asked.

    `told` are slugs of the articles in the NPC's context pack. At most eight queries, no search. A model that fails
    leaves the rules' verdict, and `degraded` says so. Call it outside transactions.
    """
    audience = get_npc_audience(release.world_id, npc_id, release=release)
    sentences = split_sentences(reply)[:MAX_SENTENCES]
    texts = [tokenize(sentence) for sentence in (*sentences, question)]
    slugs = tuple(told)
    canon = load_reply_canon(release, texts, told=slugs, audience=audience)
    verdict = judge_by_rules(reply, question=question, canon=canon, told=slugs)
    judge = find_judge()
    if judge is not None:
        release_connections()
        verdict = add_judgements(verdict, judge, reply, question=question, canon=canon, told=slugs)
    if witness is None or not witness.passages:
        return verdict
    return _ask_witness(verdict, reply, question=question, canon=canon, request=witness, judge=judge)


def add_judgements(
    verdict: ReplyVerdict, judge: ReplyJudge, reply: str, *, question: str, canon: ReplyCanon, told: Sequence[str]
) -> ReplyVerdict:
    """The verdict with what the judge holds to be denied or near it; of what rules found in clauses, what it takes for
    true is a suspect.
    """
    order = {slug: place for place, slug in enumerate(told)}
    passages = [
        ToldPassage(each.slug, each.title, each.text)
        for each in sorted(canon.passages, key=lambda each: order.get(each.slug, len(order)))
    ]
    found = {each.claim: each.source.excerpt if each.found_by == "clauses" else None for each in verdict.contradictions}
    try:
        judgements = list(judge.judge_reply(reply, question=question, passages=passages))
    except _JUDGE_FAILURES as error:
        return _note_judge_failure(verdict, error)
    weighed = weigh_judgements(judgements, judge.model.limits, found)
    doubted = [each for each in verdict.contradictions if each.claim in weighed.refuted]
    denied = [_build_contradiction(each, canon) for each in weighed.denied]
    near = [
        ReplySuspect(each.quote, each.slug, each.canon_quote[:EXCERPT_LENGTH], "judge", "near_denied")
        for each in weighed.near
    ]
    return replace(
        verdict,
        contradictions=(*(each for each in verdict.contradictions if each not in doubted), *denied),
        suspects=(*verdict.suspects, *(_build_suspect(each, "judge_disagrees") for each in doubted), *near),
        judge_version=judge.model.version,
    )


def _doubt_unwitnessed(verdict: ReplyVerdict, testimony: Testimony, passages: Sequence[ToldPassage]) -> ReplyVerdict:
    """The verdict in which a suspect is what clauses or the judge found in a passage that the model read, and it did
    not name. What fields and whole sentences deny stands, and all does where the model is not believed.
    """
    doubted = [
        each
        for each in verdict.contradictions
        if testimony.is_believed and _was_read(each, passages) and not testimony.names(each.claim)
    ]
    return replace(
        verdict,
        contradictions=tuple(each for each in verdict.contradictions if each not in doubted),
        suspects=(*verdict.suspects, *(_build_suspect(each, "model_disagrees") for each in doubted)),
    )


def _was_read(found: ReplyContradiction, passages: Sequence[ToldPassage]) -> bool:
    """Whether the words by which clauses or the judge found it stand in a passage that a model was given."""
    if found.found_by not in ("clauses", "judge"):
        return False
    source = found.source
    return any(each.slug == source.slug and is_quoted_in(source.excerpt, each.text) for each in passages)


def _note_judge_failure(verdict: ReplyVerdict, error: Exception) -> ReplyVerdict:
    log.warning("reply_judge_failed", reason=f"{type(error).__name__}: {error}")
    return replace(verdict, degraded=tuple(dict.fromkeys((*verdict.degraded, "check_judge_failed"))))


def _build_contradiction(judged: Judgement, canon: ReplyCanon) -> ReplyContradiction:
    source = canon.find_source(judged.slug, judged.canon_quote[:EXCERPT_LENGTH])
    return ReplyContradiction(judged.quote, source, None, _explain(judged.canon_quote), "judge")


def _build_suspect(found: ReplyContradiction, reason: str) -> ReplySuspect:
    return ReplySuspect(found.claim, found.source.slug, found.source.excerpt, found.found_by, reason)


def _ask_witness(
    verdict: ReplyVerdict,
    reply: str,
    *,
    question: str,
    canon: ReplyCanon,
    request: WitnessRequest,
    judge: ReplyJudge | None,
) -> ReplyVerdict:
    """The verdict with what a model pointed at and the gate let through."""
    model = find_check_model()
    if model is None:
        return verdict
    if not BREAKER.may_pass():
        return replace(verdict, degraded=(*verdict.degraded, "check_paused"))
    try:
        answer = model.ask_for_schema(
            system=request.system,
            user=write_witness_question(reply, question=question, passages=request.passages),
            schema=ANSWER_SCHEMA,
            timeout_seconds=request.timeout_seconds,
            max_tokens=request.max_tokens,
        )
    except ModelUnavailable as error:
        BREAKER.note_failure()
        log.warning("reply_check_failed", code=error.code, detail=error.detail)
        return replace(verdict, degraded=(*verdict.degraded, f"check_{error.code}"), calls=error.calls)
    BREAKER.note_success()
    hold_against = functools.partial(
        judge_claims,
        read_claims(answer.document) or (),
        reply=reply,
        question=question,
        passages=request.passages,
        articles=canon.articles,
        lexicon=load_lexicon(),
    )
    try:
        testimony = hold_against(judge=judge)
    except _JUDGE_FAILURES as error:
        verdict = _note_judge_failure(verdict, error)
        testimony = hold_against(judge=None)
    verdict = _doubt_unwitnessed(verdict, testimony, request.passages)
    known = " ".join(each.claim for each in verdict.contradictions)
    found = [
        replace(_describe(finding, canon), found_by="model")
        for finding in testimony.findings
        if finding.quote not in known and not any(each.claim in finding.quote for each in verdict.contradictions)
    ]
    doubts = [
        ReplySuspect(
            each.claim.quote[:EXCERPT_LENGTH],
            each.slug,
            each.claim.passage_quote[:EXCERPT_LENGTH],
            "model",
            each.reason,
        )
        for each in testimony.doubts
    ]
    return replace(
        verdict,
        contradictions=(*verdict.contradictions, *found),
        suspects=(*verdict.suspects, *doubts),
        checked_by="model",
        calls=answer.calls,
    )


def judge_by_rules(reply: str, *, question: str, canon: ReplyCanon, told: Sequence[str]) -> ReplyVerdict:
    """What the fields, the sentences and the clauses of canon say to the reply."""
    lexicon = load_lexicon()
    whole = [*_compare_sentences(reply, canon)]
    checked = check_reply_by_rules(
        reply, question=question, canon=build_canon(canon.articles, lexicon), told=told, lexicon=lexicon
    )
    said = " ".join(each.claim for each in whole)
    clauses = [_describe(finding, canon) for finding in checked.contradictions if finding.quote not in said]
    return ReplyVerdict(
        contradictions=(*whole, *clauses),
        suspects=tuple(_suspect(finding) for finding in checked.suspects),
        claims=checked.clauses,
        checked_by="rules",
    )


def record_reply_contradictions(
    verdict: ReplyVerdict, release: ResolvedRelease, *, npc_id: str, request_id: str, message_id: int | None
) -> None:
    """Keeps what canon denied for audit, until the message that it answers is forgotten; outside transactions."""
    for each in verdict.contradictions:
        record_contradiction(
            release,
            each.claim,
            npc_id=npc_id,
            method=each.found_by,
            source=each.source,
            expected=each.expected,
            request_id=request_id,
            message_id=message_id,
        )


def _compare_sentences(reply: str, canon: ReplyCanon) -> Iterable[ReplyContradiction]:
    """Whole sentences and clauses under the strict rules of claims: every word accounted for."""
    lexicon = load_lexicon()
    texts = [passage.text for passage in canon.passages]
    found: dict[str, ReplyContradiction] = {}
    plain = [clause.quote for clause in split_clauses(reply, lexicon) if not clause.cues]
    for claim in dict.fromkeys([*split_sentences(reply)[:MAX_SENTENCES], *plain]):
        tokens = tokenize(claim)
        is_usable = FEWEST_CHARACTERS <= len(claim) <= MAX_SENTENCE_LENGTH and not is_question(tokens)
        if not is_usable or any(claim in known for known in found):
            continue
        verdict = compare_claim(tokens, canon.subjects)
        if verdict is not None:
            if verdict.verdict == "false":
                title = next((a.title for a in canon.articles if a.slug == verdict.slug), verdict.slug)
                quote = f"{title}: {verdict.field} = {_show(verdict.expected)}"
                source = canon.find_source(verdict.slug, quote, field=verdict.field)
                found[claim] = ReplyContradiction(claim, source, verdict.expected, verdict.reason, "fields")
            continue
        said = [
            (passage, each)
            for passage, each in zip(canon.passages, compare_sentences(tokens, texts), strict=True)
            if each is not None
        ]
        if {each.verdict for _, each in said} == {"false"}:
            passage, each = said[0]
            source = canon.find_source(passage.slug, each.sentence)
            found[claim] = ReplyContradiction(claim, source, None, _explain(each.sentence), "sentences")
    return found.values()


def _describe(finding: Finding, canon: ReplyCanon) -> ReplyContradiction:
    source = canon.find_source(finding.slug, finding.canon_quote[:EXCERPT_LENGTH], field=finding.field)
    return ReplyContradiction(finding.quote, source, finding.expected, _explain(finding.canon_quote), "clauses")


def _suspect(finding: Finding) -> ReplySuspect:
    return ReplySuspect(finding.quote, finding.slug, finding.canon_quote[:EXCERPT_LENGTH], "clauses", finding.rule)


def _explain(quote: str) -> str:
    return f"Canon says: {quote[:EXCERPT_LENGTH]}"


def _show(value: object) -> str:
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)
