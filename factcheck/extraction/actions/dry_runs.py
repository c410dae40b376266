"""What a run would propose, and what the gate would say: nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from factcheck.extraction.core.deltas import Delta
from factcheck.extraction.core.gate import GateRules, check_deltas
from factcheck.extraction.core.given import Given
from factcheck.extraction.core.promotion import is_fact_at_once
from factcheck.extraction.core.verdicts import Verdict
from factcheck.extraction.proposers.base import Proposal, Proposer
from factcheck.extraction.rules import get_gate_rules
from factcheck.extraction.selectors.given import MessageRange, find_last_places, load_range

MAX_DRY_MESSAGES = 120
"""Of both sides, the newest ones."""


@dataclass(frozen=True, slots=True)
class DryDelta:
    """A proposed delta and its verdict; `is_fact`: it would be a fact at once, not a candidate."""

    delta: Delta
    verdict: Verdict
    is_fact: bool


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a proposer made of a player's last messages."""

    given: Given
    proposal: Proposal
    deltas: tuple[DryDelta, ...]


def try_run(
    *, tenant_id: int, end_user_id: int, proposer: Proposer, timeout_seconds: float, messages: int = MAX_DRY_MESSAGES
) -> DryRun:
    """What a proposer proposes for the last messages, worked off or not. It writes nothing and asks once.

    Call it outside transactions. Raises ProposerError, FactKeysMissing.
    """
    tried = find_last_range(tenant_id=tenant_id, end_user_id=end_user_id, messages=messages)
    rules = get_gate_rules(tenant_id=tenant_id, end_user_id=end_user_id)
    return try_given(tried.given, tried.language, proposer=proposer, rules=rules, timeout_seconds=timeout_seconds)


def find_last_range(*, tenant_id: int, end_user_id: int, messages: int = MAX_DRY_MESSAGES) -> MessageRange:
    """The player's last messages, worked off or not. A few queries."""
    since = find_last_places(tenant_id=tenant_id, end_user_id=end_user_id, count=min(messages, MAX_DRY_MESSAGES))
    return load_range(tenant_id=tenant_id, end_user_id=end_user_id, since=since)


def list_last_ranges(*, tenant_id: int, end_user_id: int, messages: int) -> Iterator[MessageRange]:
    """The player's last messages, worked off or not, in as many ranges as runs would take. A few queries each."""
    since = find_last_places(tenant_id=tenant_id, end_user_id=end_user_id, count=messages)
    while True:
        part = load_range(tenant_id=tenant_id, end_user_id=end_user_id, since=since)
        if part.given.messages:
            yield part
        if all(since[pk] == seq for pk, seq in part.reaches.items()):
            return
        since |= part.reaches


def try_given(given: Given, language: str, *, proposer: Proposer, rules: GateRules, timeout_seconds: float) -> DryRun:
    """What a proposer proposes for messages, and what the gate says. Asks once. Raises ProposerError."""
    proposal = proposer.propose(given, language=language, timeout_seconds=timeout_seconds)
    verdicts = check_deltas(proposal.deltas, given, rules)
    return DryRun(
        given,
        proposal,
        tuple(
            DryDelta(delta, verdict, verdict.is_accepted and is_fact_at_once(verdict))
            for delta, verdict in zip(proposal.deltas, verdicts, strict=True)
        ),
    )
