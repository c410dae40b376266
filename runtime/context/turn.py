"""A turn of which everybody and everything that it names is known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.canon.selectors.releases import ResolvedRelease
from runtime.config import BudgetFile
from runtime.context.core.budgets import Budget
from runtime.context.identity.cast import Cast
from runtime.context.identity.party import Party
from runtime.context.identity.player import OlderTalk, Player
from runtime.context.identity.session import SessionTalk
from runtime.context.identity.talk import Entry
from runtime.context.message import PlayerMessage
from runtime.context.render import PromptSet
from runtime.context.request import ContextRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedTurn:
    """What a request names, found. Sources read it and nobody changes it."""

    request: ContextRequest
    """With the message that is answered and the language that is wanted, where these were found."""
    message: PlayerMessage
    now: dt.datetime
    settings: BudgetFile
    budget: Budget
    """For this player and this talk."""
    player: Player | None
    party: Party | None
    session: SessionTalk | None
    talk: tuple[Entry, ...]
    """The newest talk, oldest message first: the session's where it has any, else the conversation's."""
    older_talk: OlderTalk | None
    """What left the window of the talk; None where no conversation is known."""
    releases: Mapping[str, ResolvedRelease]
    """Domain to the release of canon that is read, lore first."""
    cast: Cast
    audience: tuple[str, ...]
    """Whose canon may be told."""
    prompts: PromptSet
    speaker: str | None
    """The name of the NPC that speaks, in the language of the prompts; None with a narrator."""
    names: tuple[str, ...]
    """Of all who are there."""
    reply_language: str | None
    """None leaves it open."""

    @property
    def persona_version(self) -> int | None:
        """Of the NPC that speaks."""
        return None if self.request.npc_id is None else self.cast.people[0].persona_version
