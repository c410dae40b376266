"""From a request to a turn: who speaks to whom, in which world, of which canon, in which language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils import timezone

from factcheck.core.instant.instruction_words import load_instruction_words
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import name_audience
from knowledge.text.folding import normalise
from runtime.config import BudgetFile, load_budgets, load_prompts
from runtime.context.core.budgets import Budget
from runtime.context.core.episodes import choose_density_cap
from runtime.context.core.facts import Fact, find_wished_language
from runtime.context.core.languages import choose_frame_language, choose_reply_language
from runtime.context.identity.cast import find_cast, get_name
from runtime.context.identity.party import list_people, read_party
from runtime.context.identity.player import Player, read_player
from runtime.context.identity.releases import LORE, find_turn_releases
from runtime.context.identity.rows import read_rows
from runtime.context.identity.session import SessionTalk, load_session_talk
from runtime.context.identity.talk import Entry
from runtime.context.message import PlayerMessage
from runtime.context.request import ContextRequest
from runtime.context.stopwatch import Stopwatch
from runtime.context.turn import ResolvedTurn, choose_talk

SUMMARY_ROOM = 150
"""Tokens of a summary of 120 with its line: the talk itself keeps what it had."""
_TALK_FOR_LANGUAGE = 3
"""Messages that tell the language of a short one; a player who changed it did so within a few."""


def resolve_turn(request: ContextRequest, watch: Stopwatch) -> ResolvedTurn:
    """All that the request names. Four queries and one round trip to Redis; two queries more where Redis lost the talk.

    Raises UnknownRelease, UnknownAlias, UnknownConversation, UnknownParty, UnknownScene, UnknownNpc, FactKeysMissing.
    """
    settings = load_budgets()
    budget = settings.to_budget(request.model).override(total=request.total, layers=request.layers)
    with watch.step("player"):
        player_row, party_row = read_rows(request, budget)
        player = read_player(request, budget, player_row)
    with watch.step("play"):
        party = read_party(request, party_row)
    with watch.step("cast"):
        releases = find_turn_releases(request)
        cast = find_cast(request, list_people(party), lore=releases.get(LORE))
    facts = () if player is None else player.facts
    with watch.step("session"):
        session = load_session_talk(request, budget, facts)
    request = _complete_request(request, player, session, facts)
    own_words = _list_own_words(choose_talk(player, session))
    prompts = load_prompts()[
        choose_frame_language(
            preference=request.language, message=request.message, world_languages=cast.languages, talk=own_words
        )
    ]
    names = tuple(get_name(person, prompts.language) for person in cast.people)
    return ResolvedTurn(
        request=request,
        message=PlayerMessage.from_request(request),
        now=timezone.now(),
        settings=settings,
        budget=_fit_to_player(budget, settings, player),
        player=player,
        party=party,
        session=session,
        releases=releases,
        cast=cast,
        audience=(PUBLIC,) if request.npc_id is None else name_audience(request.npc_id, cast.article),
        prompts=prompts,
        speaker=None if request.npc_id is None else names[0],
        names=names,
        reply_language=choose_reply_language(preference=request.language, message=request.message, talk=own_words),
    )


def check_place(request: ContextRequest) -> None:
    """Raises UnknownParty or UnknownScene where there is no such party or scene. One query, or none."""
    if request.party_id is not None:
        _, party_row = read_rows(replace(request, user_id=None), load_budgets().to_budget())
        read_party(request, party_row)


def _complete_request(
    request: ContextRequest, player: Player | None, session: SessionTalk | None, facts: Sequence[Fact]
) -> ContextRequest:
    """With the message of RAW that is answered, and the language that is wanted: the request's, else what the player
    asked for for good, else the session's.
    """
    answered = [found.answered_id for found in (player, session) if found is not None]
    preferred = session.preference.language if session is not None and session.preference is not None else None
    return replace(
        request,
        message_id=next((id_ for id_ in answered if id_), request.message_id),
        language=request.language or _find_wished_language(facts) or preferred,
    )


def _find_wished_language(facts: Sequence[Fact]) -> str | None:
    """The code of the language that the player asked to be answered in, for good."""
    wished = find_wished_language(facts)
    language = load_instruction_words().find_language(normalise(wished)) if wished else None
    return language.code if language is not None else None


def _list_own_words(talk: Sequence[Entry]) -> list[str]:
    """The player's last messages before the turn's, the latest last."""
    return [text for _, role, text in talk if role == "user"][-_TALK_FOR_LANGUAGE:]


def _fit_to_player(budget: Budget, settings: BudgetFile, player: Player | None) -> Budget:
    """Fewer episodes for newer players (source: seed 002, fix 6), and room for a summary where there is one."""
    cap = choose_density_cap(settings.to_density(), player.message_count if player else 0)
    budget = budget.cap("episodes", max_items=cap.max_items, share=cap.share)
    if player is not None and player.older_talk is not None and player.older_talk.text:
        budget = budget.make_room("talk", tokens=SUMMARY_ROOM)
    return budget
