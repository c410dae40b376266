"""Holding an NPC's reply against canon and against the player's language before it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from factcheck.actions.claims import CLAIM_LENGTH_MOST, assert_claim
from factcheck.core.comparing import is_question
from factcheck.core.sentences import FEWEST_CHARACTERS, split_sentences
from factcheck.core.tokens import tokenize
from factcheck.core.verdicts import Source
from factcheck.errors import InvalidClaim
from knowledge.errors import UnknownDomain, UnknownRelease
from knowledge.text.language import detect_language, is_written_in

CLAIMS_MOST = 8
"""So many sentences of a reply are checked; each costs one search."""
DOMAIN = "lore"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A sentence that canon says otherwise, and where canon says so."""

    claim: str
    sources: tuple[Source, ...]
    expected: Any
    explanation: str


@dataclass(frozen=True, slots=True)
class ReplyCheck:
    """What is wrong with a reply."""

    contradictions: tuple[Contradiction, ...]
    language: str
    """The reply's own; `und` where it can't be told."""
    follows_language: bool
    claims: int
    """How many sentences were checked."""

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
    request_id: str = "",
    message_id: int | None = None,
) -> ReplyCheck:
    """What canon, as far as the NPC knows it, says against the reply, and whether it is in the wanted language.

    Only what canon plainly denies counts, by its fields or its sentences: no model judges another at every turn. Each
    such claim is kept for audit, until the message that is answered, `message_id`, is forgotten. Call it outside
    transactions.
    """
    claims = list(list_claims(reply))
    contradictions = []
    for claim in claims:
        try:
            result = assert_claim(
                tenant_id=tenant_id,
                world_id=world_id,
                claim=claim,
                domain=DOMAIN,
                npc_id=npc_id,
                release=release,
                request_id=request_id,
                message_id=message_id,
                ask_model=False,
            )
        except (UnknownDomain, UnknownRelease):
            break
        except InvalidClaim:
            continue
        if result.verdict == "false":
            contradictions.append(Contradiction(claim, result.sources, result.expected, result.explanation))
    said_in = detect_language(reply)
    follows_language = is_written_in(reply, language)
    return ReplyCheck(tuple(contradictions), said_in, follows_language, len(claims))


def list_claims(reply: str) -> Iterator[str]:
    """The first sentences of a reply that state something."""
    found = 0
    for sentence in split_sentences(reply):
        if not FEWEST_CHARACTERS <= len(sentence) <= CLAIM_LENGTH_MOST or is_question(tokenize(sentence)):
            continue
        yield sentence
        found += 1
        if found == CLAIMS_MOST:
            return
