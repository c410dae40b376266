"""Holding a claim against canon, and keeping the false ones for audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from episodes.conversations.selectors.sessions import list_forgotten
from factcheck.claims.core.field_comparison import compare_claim
from factcheck.claims.core.model_quotes import SYSTEM, check_answer, write_question
from factcheck.claims.selectors.claims import find_source, list_named_subjects
from factcheck.core.sentences import compare_sentences
from factcheck.core.tokens import Tokens, tokenize
from factcheck.core.verdicts import AssertionResult, Method, Source, Verdict
from factcheck.errors import ClaimTooLong, EmptyClaim, InvalidNpcId
from factcheck.models import ContradictedClaim
from knowledge.canon.core.names import storable_text
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.canon.selectors.search import LoreHit, search_lore
from knowledge.errors import UnknownDomain
from memoryproject.chat_model import ModelUnavailable, find_chat_model
from memoryproject.database import after_commit
from memoryproject.metrics import DRIFT

MAX_CLAIM_LENGTH = 1000
MAX_NPC_ID_LENGTH = 120
PASSAGES_READ = 6
MODEL_TIMEOUT_SECONDS = 10.0
EXCERPT_LENGTH = 500


def assert_claim(
    *,
    tenant_id: int,
    world_id: int,
    claim: str,
    domain: str = "lore",
    npc_id: str | None = None,
    release: int | None = None,
    alias: str = "latest",
    session_id: str | None = None,
    request_id: str = "",
    message_id: int | None = None,
    ask_model: bool = True,
) -> AssertionResult:
    """Whether canon bears the claim out: by structured fields, else by a sentence, else by a model that must quote.

    Without plain support it is `unknown`, never a guess. Only what the NPC (without one: the public) may know decides
    and is shown. A false claim is kept as ContradictedClaim, until the message that it answers (`message_id`), if it
    answers one, is forgotten. Call it outside transactions: it may reach an embedder and, unless `ask_model` is off, a
    model. Raises InvalidClaim, UnknownDomain, UnknownRelease, UnknownAlias.
    """
    text = _check(claim, npc_id)
    tokens = tokenize(text)
    if not tokens.words:
        raise EmptyClaim("The claim holds no word.")
    resolved = resolve_release(
        world_id=world_id, domain=domain, alias=alias, release=release, session_id=session_id or None
    )
    if resolved.tenant_id != tenant_id:
        raise UnknownDomain(f"This world has nothing in domain {domain!r} yet.")
    audience = (PUBLIC,) if not npc_id else get_npc_audience(world_id, npc_id, release=resolved)
    result = _ask_fields(resolved, tokens, audience) or _ask_passages(
        resolved, text, tokens, audience, ask_model=ask_model
    )
    if result.verdict == "false":
        record_contradiction(
            resolved,
            text,
            npc_id=npc_id or "",
            method=result.method or "",
            source=result.sources[0],
            expected=result.expected,
            request_id=request_id,
            message_id=message_id,
        )
    return result


def _check(claim: str, npc_id: str | None) -> str:
    text = " ".join(storable_text(claim).split())
    if len(text) > MAX_CLAIM_LENGTH:
        raise ClaimTooLong(f"The claim has {len(text)} characters; the most is {MAX_CLAIM_LENGTH}.")
    if npc_id is not None and (len(npc_id) > MAX_NPC_ID_LENGTH or npc_id != storable_text(npc_id)):
        raise InvalidNpcId(f"npc_id has at most {MAX_NPC_ID_LENGTH} plain characters.")
    return text


def _ask_fields(release: ResolvedRelease, claim: Tokens, audience: Sequence[str]) -> AssertionResult | None:
    verdict = compare_claim(claim, list_named_subjects(release, claim, audience=audience))
    if verdict is None:
        return None
    source = find_source(release, verdict.slug, field=verdict.field, value=verdict.expected, audience=audience)
    expected = verdict.expected if verdict.verdict == "false" else None
    return _conclude(
        release, verdict.verdict, "fields", (source,), expected=expected, explanation=verdict.reason, degraded=()
    )


def _ask_passages(
    release: ResolvedRelease, text: str, claim: Tokens, audience: Sequence[str], *, ask_model: bool
) -> AssertionResult:
    """The verdict of the passages that a search finds for the claim, by their sentences or by a model's quotation."""
    found = search_lore(release, text, k=PASSAGES_READ, audience=audience, rerank=False)
    said = [
        (hit, verdict)
        for hit, verdict in zip(found.hits, compare_sentences(claim, [hit.text for hit in found.hits]), strict=True)
        if verdict is not None
    ]
    answers = {verdict.verdict for _, verdict in said}
    if len(answers) == 1:
        sources = tuple(_source(release, hit, verdict.sentence) for hit, verdict in said)
        return _conclude(
            release,
            answers.pop(),
            "retrieval",
            sources,
            expected=None,
            explanation=f"Canon says: {said[0][1].sentence[:EXCERPT_LENGTH]}",
            degraded=found.degraded,
        )
    if answers:
        return _unknown(release, "Passages of canon contradict each other on this.", found.degraded)
    return _ask_model(release, text, found.hits if ask_model else (), found.degraded)


def _ask_model(
    release: ResolvedRelease, claim: str, hits: Sequence[LoreHit], degraded: tuple[str, ...]
) -> AssertionResult:
    model = find_chat_model()
    if model is None or not hits:
        return _unknown(release, "Canon neither says this nor plainly says otherwise.", degraded)
    passages = [hit.text for hit in hits]
    try:
        answer = model.ask_for_json(
            system=SYSTEM, user=write_question(claim, passages), timeout_seconds=MODEL_TIMEOUT_SECONDS
        )
    except ModelUnavailable as failure:
        return _unknown(release, "Canon does not plainly say; the model did not answer.", (*degraded, failure.code))
    checked = check_answer(claim, passages, answer)
    if checked is None:
        return _unknown(release, "Canon neither says this nor plainly says otherwise.", degraded)
    verdict, index, quote = checked
    return _conclude(
        release,
        verdict,
        "model",
        (_source(release, hits[index], quote),),
        expected=None,
        explanation=f"Canon says: {quote[:EXCERPT_LENGTH]}",
        degraded=degraded,
    )


def _source(release: ResolvedRelease, hit: LoreHit, excerpt: str) -> Source:
    return Source(
        slug=hit.slug,
        title=hit.title,
        passage_id=hit.passage_id,
        version=hit.version,
        excerpt=excerpt[:EXCERPT_LENGTH],
        field=None,
        release=release.number,
    )


def _unknown(release: ResolvedRelease, explanation: str, degraded: tuple[str, ...]) -> AssertionResult:
    return _conclude(release, "unknown", None, (), expected=None, explanation=explanation, degraded=degraded)


def _conclude(
    release: ResolvedRelease,
    verdict: Verdict,
    method: Method | None,
    sources: tuple[Source, ...],
    *,
    expected: Any,
    explanation: str,
    degraded: tuple[str, ...],
) -> AssertionResult:
    return AssertionResult(
        verdict=verdict,
        method=method,
        sources=sources,
        expected=expected,
        explanation=explanation,
        release=release.number,
        degraded=degraded,
    )


def record_contradiction(
    release: ResolvedRelease,
    claim: str,
    *,
    npc_id: str,
    method: str,
    source: Source,
    expected: Any,
    request_id: str,
    message_id: int | None,
) -> None:
    """Keeps a false claim next to what canon says, unless it answers what is by now forgotten."""
    kept = ContradictedClaim.objects.create(
        tenant_id=release.tenant_id,
        domain_index_id=release.domain_index_id,
        release_number=release.number,
        claim=claim,
        npc_id=npc_id,
        method=method,
        source_slug=source.slug,
        source_excerpt=source.excerpt,
        expected=expected,
        request_id=request_id[:128],
        message_id=message_id,
    )
    after_commit(DRIFT.labels(source="lore_assert").inc)
    if message_id is not None and list_forgotten(tenant_id=release.tenant_id, message_ids=[message_id]):
        kept.delete()
