"""What is known of the player for one turn: facts, the talk that goes on, words that nobody worked through yet."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.errors import UnknownConversation
from episodes.facts.selectors.worlds import find_facts_of_world, is_met_in_world
from factcheck.extraction.metrics import FALLBACKS
from knowledge.facts.selectors.facts import list_facts
from runtime.context.core.budgets import Budget
from runtime.context.core.facts import Fact
from runtime.context.identity.rows import Row
from runtime.context.identity.talk import Entry, read_talk
from runtime.context.request import ContextRequest

PENDING_FROM = 10
"""More messages than these wait for extraction: they are told as they are. Source: seed 002, staging."""
OVERDUE_FROM = 30
"""From so many on a run was due for as long as half of them took to say."""


@dataclass(frozen=True, slots=True)
class OlderTalk:
    """What left the window of the talk: its summary, if there is one, and how far a model was asked."""

    conversation_id: int
    npc_id: str
    session_id: str
    last_seq: int
    tried_seq: int
    summary_id: int | None = None
    text: str = ""
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """A player as far as the turn needs them."""

    end_user_id: int
    message_count: int
    conversation_id: int | None
    facts: tuple[Fact, ...]
    talk: tuple[Entry, ...]
    """The newest talk with whom the turn is about, oldest first."""
    answered_id: int | None
    """The message that is answered, where it is the last one of the talk."""
    pending: tuple[tuple[int, str], ...]
    """What they said and nobody worked through yet, oldest first, before the privacy guard."""
    older_talk: OlderTalk | None = None
    """None without a conversation."""
    tree_id: int | None = None
    """Of a conversation that branches."""

    @property
    def has_summary(self) -> bool:
        """Whether a model summed up what left the window of the talk."""
        return self.older_talk is not None and bool(self.older_talk.text)


def read_player(request: ContextRequest, budget: Budget, row: Row | None) -> Player | None:
    """The player of a row of `player.sql`; None while nothing was ever heard of them. One query for their facts.

    Only talk with the NPC of the turn is in it: what was said to another one stays there. Who asks for one world only
    is told nothing of a player whom it never met. Raises UnknownConversation, FactKeysMissing.
    """
    if request.conversation_id is not None and (row is None or row["conversation_id"] is None):
        raise UnknownConversation(f"There is no conversation {request.conversation_id} of this user in this world.")
    if row is None:
        return None
    end_user_id, pending_count = row["end_user_id"], row["pending_count"] or 0
    if request.is_world_bound and not is_met_in_world(
        tenant_id=request.tenant_id, end_user_id=end_user_id, world_id=request.world_id
    ):
        return None
    waits = pending_count > PENDING_FROM
    if waits:
        FALLBACKS.labels(reason="overdue" if pending_count >= OVERDUE_FROM else "normal").inc()
    said, waiting = ([Entry(**each) for each in row[name]] for name in ("talk", "pending"))
    talk, answered_id = read_talk(said, request, limit=budget.layers["talk"].item_tokens)
    pending, _ = read_talk(waiting if waits else (), request, limit=budget.layers["pending"].item_tokens)
    return Player(
        end_user_id=end_user_id,
        message_count=row["message_count"],
        conversation_id=row["conversation_id"],
        facts=_list_facts(request, end_user_id),
        answered_id=answered_id,
        older_talk=_read_older_talk(request, row),
        talk=talk,
        tree_id=row["tree_id"],
        pending=tuple((each.message_id, each.text) for each in pending),
    )


def _read_older_talk(request: ContextRequest, row: Row) -> OlderTalk | None:
    if row["conversation_id"] is None:
        return None
    summary = row["summary"] or {}
    return OlderTalk(
        conversation_id=row["conversation_id"],
        npc_id=request.npc_id or "",
        session_id=request.session_id or "",
        last_seq=row["last_seq"] or 0,
        tried_seq=summary.get("tried_seq", 0),
        summary_id=summary.get("summary_id"),
        text=summary.get("text", ""),
        evidence=tuple(summary.get("evidence", ())),
    )


def _list_facts(request: ContextRequest, end_user_id: int) -> tuple[Fact, ...]:
    tenant_id = request.tenant_id
    if request.is_world_bound:
        own = find_facts_of_world(tenant_id=tenant_id, end_user_id=end_user_id, world_id=request.world_id)
        found = list_facts(tenant_id=tenant_id, end_user_id=end_user_id, among=own.current_ids)
        views = [own.trim(view) for view in found]
    else:
        views = list_facts(tenant_id=tenant_id, end_user_id=end_user_id)
    return tuple(
        Fact(
            id=view.id,
            type=view.type,
            key=view.key or "",
            value=view.value or "",
            confidence=view.confidence,
            source=view.source,
            evidence=view.evidence,
            valid_from=view.valid_from,
            is_disputed=view.is_disputed,
        )
        for view in views
    )
