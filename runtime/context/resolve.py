"""From a request to a turn: who speaks to whom, in which world, of which canon, in which language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils import timezone

from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import name_audience
from runtime.config import load_budgets, load_prompts
from runtime.context.core.facts import Fact, find_wished_language_code
from runtime.context.core.languages import choose_languages
from runtime.context.identity.cast import find_cast, get_name
from runtime.context.identity.party import read_party
from runtime.context.identity.player import Player, read_player
from runtime.context.identity.releases import LORE, find_turn_releases
from runtime.context.identity.rows import read_rows
from runtime.context.identity.session import SessionTalk, load_session_talk
from runtime.context.identity.talk import Entry
from runtime.context.message import PlayerMessage
from runtime.context.request import ContextRequest
from runtime.context.stopwatch import Stopwatch
from runtime.context.turn import ResolvedTurn

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
        cast = find_cast(request, () if party is None else party.people, lore=releases.get(LORE))
    facts = () if player is None else player.facts
    with watch.step("session"):
        session = load_session_talk(request, budget, facts)
    request = _complete_request(request, player, session, facts)
    talk = _choose_talk(player, session)
    prompt_language, reply_language = choose_languages(
        preference=request.language,
        message=request.message,
        world_languages=cast.languages,
        talk=[text for _, role, text in talk if role == "user"][-_TALK_FOR_LANGUAGE:],
    )
    names = tuple(get_name(person, prompt_language) for person in cast.people)
    return ResolvedTurn(
        request=request,
        message=PlayerMessage(request.message, request.location_id or ""),
        now=timezone.now(),
        settings=settings,
        budget=budget.fit_to_player(
            settings.to_density(),
            message_count=0 if player is None else player.message_count,
            has_summary=player is not None and player.has_summary,
        ),
        player=player,
        party=party,
        session=session,
        talk=talk,
        older_talk=None if player is None else player.older_talk,
        releases=releases,
        cast=cast,
        audience=(PUBLIC,) if request.npc_id is None else name_audience(request.npc_id, cast.article),
        prompts=load_prompts()[prompt_language],
        speaker=None if request.npc_id is None else names[0],
        names=names,
        reply_language=reply_language,
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
        language=request.language or find_wished_language_code(facts) or preferred,
    )


def _choose_talk(player: Player | None, session: SessionTalk | None) -> tuple[Entry, ...]:
    """The session's talk where it has any, else the conversation's."""
    if session is not None and session.entries:
        return session.entries
    return () if player is None else player.talk
