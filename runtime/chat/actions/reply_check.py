"""Holding an NPC's reply against canon and against the player's language before it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from factcheck.claims.actions.replies import (
    ReplySuspect,
    ReplyVerdict,
    WitnessRequest,
    check_reply_claims,
    record_reply_contradictions,
)
from factcheck.claims.core.replies.witness import ToldPassage
from factcheck.core.verdicts import Source
from knowledge.canon.selectors.releases import resolve_release
from knowledge.errors import UnknownAlias, UnknownDomain, UnknownRelease
from knowledge.text.language import detect_language, is_written_in
from memoryproject.chat_model import ChatReply
from runtime.config import load_check_prompts

DOMAIN = "lore"
OFF = "off"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A part of a reply that canon says otherwise, where canon says so, and what found it."""

    claim: str
    sources: tuple[Source, ...]
    expected: Any
    explanation: str
    found_by: str = ""


@dataclass(frozen=True, slots=True)
class ReplyCheck:
    """What is wrong with a reply."""

    contradictions: tuple[Contradiction, ...]
    language: str
    """The reply's own; `und` where it can't be told."""
    follows_language: bool
    claims: int
    """How many clauses were checked."""
    suspects: tuple[ReplySuspect, ...] = ()
    """What is near a statement of canon: counted and traced, nothing follows from it."""
    checked_by: str = OFF
    """The strongest part that did answer: `off`, `rules` or `model`."""
    judge_version: str = ""
    """Of the judge that read it beside the rules; empty where none did."""
    degraded: tuple[str, ...] = ()
    calls: tuple[ChatReply, ...] = ()
    """Answers of the model that checked, for their cost."""

    @property
    def passed(self) -> bool:
        """Whether the reply may stand as it is."""
        return self.follows_language and not self.contradictions


def check_reply(
    reply: str,
    *,
    tenant_id: int,
    world_id: int,
    npc_id: str,
    release: int | None,
    language: str,
    question: str = "",
    passages: Sequence[ToldPassage] = (),
    prompt_language: str = "en",
    request_id: str = "",
    message_id: int | None = None,
) -> ReplyCheck:
    """What canon, as far as the NPC knows it, says against the reply, and whether it is in the wanted language.

    The reply is held against the articles of the `passages` that the pack told, and those that it or the `question`
    names. A model that checks reads the passages and nothing else. Each contradiction is kept for audit, until the
    message that is answered, `message_id`, is forgotten. Call it outside transactions.
    """
    verdict = ReplyVerdict()
    if settings.REPLY_CHECK != OFF:
        verdict = _check_canon(
            reply,
            tenant_id=tenant_id,
            world_id=world_id,
            npc_id=npc_id,
            release=release,
            question=question,
            passages=passages,
            prompt_language=prompt_language,
            request_id=request_id,
            message_id=message_id,
        )
    said_in = detect_language(reply)
    follows_language = is_written_in(reply, language)
    return ReplyCheck(
        contradictions=_describe(verdict),
        language=said_in,
        follows_language=follows_language,
        claims=verdict.claims,
        suspects=verdict.suspects,
        checked_by=verdict.checked_by,
        judge_version=verdict.judge_version,
        degraded=verdict.degraded,
        calls=verdict.calls,
    )


def _check_canon(
    reply: str,
    *,
    tenant_id: int,
    world_id: int,
    npc_id: str,
    release: int | None,
    question: str,
    passages: Sequence[ToldPassage],
    prompt_language: str,
    request_id: str,
    message_id: int | None,
) -> ReplyVerdict:
    """The verdict, with its contradictions kept; nothing where the world has no lore."""
    try:
        resolved = resolve_release(world_id=world_id, domain=DOMAIN, release=release)
    except (UnknownAlias, UnknownDomain, UnknownRelease):
        return ReplyVerdict()
    if resolved.tenant_id != tenant_id:
        return ReplyVerdict()
    verdict = check_reply_claims(
        reply,
        question=question,
        release=resolved,
        npc_id=npc_id,
        told=list(dict.fromkeys(passage.slug for passage in passages)),
        witness=_make_witness(passages, prompt_language),
    )
    record_reply_contradictions(verdict, resolved, npc_id=npc_id, request_id=request_id, message_id=message_id)
    return verdict


def _make_witness(passages: Sequence[ToldPassage], language: str) -> WitnessRequest | None:
    if settings.REPLY_CHECK != "model":
        return None
    return WitnessRequest(
        system=load_check_prompts()[language].system,
        passages=tuple(passages),
        timeout_seconds=settings.CHECK_TIMEOUT_SECONDS,
        max_tokens=settings.CHECK_MAX_TOKENS,
    )


def _describe(verdict: ReplyVerdict) -> tuple[Contradiction, ...]:
    return tuple(
        Contradiction(each.claim, (each.source,), each.expected, each.explanation, each.found_by)
        for each in verdict.contradictions
    )
