"""The context pack of one turn: what is known, in layers, within its budget."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from django.utils import timezone

from factcheck.core.instant.instruction_words import load_instruction_words
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import name_audience
from knowledge.search.query_embedding import prepare_queries
from knowledge.text.folding import normalise
from memoryproject.parallel_reads import start_parallel_read
from runtime.config import load_budgets, load_prompts
from runtime.context.core.budgets import Budget
from runtime.context.core.episodes import SnippetSlot, choose_density_cap
from runtime.context.core.languages import choose_frame_language, choose_reply_language
from runtime.context.core.pack import MEMORY_RULES, USER, Item, Layer, Pack
from runtime.context.fit import fit_pack
from runtime.context.language_names import name_language
from runtime.context.render import PromptSet
from runtime.context.request import ContextRequest
from runtime.core.pack_items import (
    build_episode_items,
    build_fact_items,
    build_instruction_items,
    build_memory_rule_items,
    build_pending_items,
    build_preference_items,
    build_rule_items,
    build_talk_items,
    build_talk_summary_item,
    build_word_items,
    find_wished_language,
    list_outranked,
)
from runtime.selectors.context_canon import LORE, FoundCanon, find_canon, find_turn_releases, list_canon_queries
from runtime.selectors.context_cast import Cast, build_people_items, build_picture_items, find_cast, get_name
from runtime.selectors.context_memory import (
    FoundEpisodes,
    SessionTalk,
    find_episodes,
    find_pending,
    list_episode_queries,
    load_session_talk,
)
from runtime.selectors.context_play import (
    Play,
    build_event_items,
    build_flag_items,
    build_summary_items,
    list_people,
    read_play,
)
from runtime.selectors.context_player import OlderTalk, Player, read_player
from runtime.selectors.context_rows import read_rows

USER_UNKNOWN = "user_unknown"


@dataclass(frozen=True, slots=True)
class AssembledContext:
    """A pack, and how it came to be."""

    pack: Pack
    releases: Mapping[str, int]
    embedder: str
    degraded: tuple[str, ...]
    """What the pack had to do without, as codes; empty when all went well."""
    persona_version: int | None
    steps_ms: Mapping[str, float]
    is_talk_rebuilt: bool
    """Whether Redis did not hold the session's talk, and it came from RAW."""
    reply_language: str | None
    """The language that the reply was asked for in; None leaves it open."""
    snippets: Mapping[int, SnippetSlot] = field(default_factory=dict)
    """By message id, the messages found that take a snippet."""
    talk: OlderTalk | None = None
    """What left the window of the talk; None where no conversation is known."""
    talk_length: int = 0
    """Messages of the talk within the window, told or not."""


SUMMARY_ROOM = 150
"""Tokens of a summary of 120 with its line: the talk itself keeps what it had."""
_TALK_FOR_LANGUAGE = 3
"""Messages that tell the language of a short one; a player who changed it did so within a few."""


@dataclass(frozen=True, slots=True)
class _Found:
    """All that was found for the turn."""

    player: Player | None
    play: Play | None
    cast: Cast
    canon: FoundCanon
    episodes: FoundEpisodes
    session: SessionTalk | None


@dataclass
class _Watch:
    """How long each step takes."""

    steps_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.steps_ms[name] = self.steps_ms.get(name, 0.0) + (time.perf_counter() - start) * 1000


def assemble_context(ask: ContextRequest) -> AssembledContext:
    """The pack of a turn. The same question and state give the same pack.

    Raises BudgetTooSmall, UnknownRelease, UnknownAlias, UnknownConversation, UnknownParty,
    UnknownScene, UnknownNpc, FactKeysMissing.
    """
    watch = _Watch()
    budget = load_budgets().to_budget(ask.model).override(total=ask.total, layers=ask.layers)
    with watch.step("player"):
        player_row, play_row = read_rows(ask, budget)
        player = read_player(ask, budget, player_row)
    with watch.step("play"):
        play = read_play(ask, play_row)
    budget = _cap_episodes(budget, player)
    with watch.step("cast"):
        releases = find_turn_releases(ask)
    queries = [
        *list_canon_queries(ask, releases),
        *([] if player is None else list_episode_queries(ask, budget, has_pending=bool(player.pending))),
    ]
    with prepare_queries(queries):
        with watch.step("session"):
            session = load_session_talk(ask, budget)
        answered = [found.answered_id for found in (player, session) if found is not None]
        ask = replace(ask, message_id=next((id_ for id_ in answered if id_), ask.message_id))
        read_episodes = (
            start_parallel_read(partial(_find_episodes, ask, budget, player, watch)) if player else FoundEpisodes
        )
        with watch.step("cast"):
            cast = find_cast(ask, list_people(play), lore=releases.get(LORE))
        with watch.step("canon"):
            audience = (PUBLIC,) if ask.npc_id is None else name_audience(ask.npc_id, cast.article)
            canon = find_canon(ask, budget, releases=releases, audience=audience)
        episodes = read_episodes()
    session = _let_instructions_win(session, player)
    preferred = session.preference.language if session and session.preference else None
    ask = replace(ask, language=ask.language or _find_wished_language(player) or preferred)
    with watch.step("fit"):
        talk = _list_own_words(player, session)
        prompts = _choose_prompts(ask, cast.languages, talk)
        speaker = get_name(cast.people[0], prompts.language) if ask.npc_id is not None else None
        found = _Found(player, play, cast, canon, episodes, session)
        reply_language = choose_reply_language(preference=ask.language, message=ask.message, talk=talk)
        layers = _build_layers(ask, prompts, budget, found, speaker)
        layers.append(_build_system_layer(prompts, canon, speaker, reply_language))
        if player is not None and player.older_talk is not None and player.older_talk.text:
            budget = budget.make_room("talk", tokens=SUMMARY_ROOM)
        names = tuple(get_name(person, prompts.language) for person in cast.people)
        pack = fit_pack(layers, budget, prompts, speakers=names)
    return AssembledContext(
        pack=pack,
        releases=canon.releases,
        embedder=canon.embedder,
        degraded=_list_degraded(ask, found),
        persona_version=cast.people[0].persona_version if ask.npc_id is not None else None,
        steps_ms=watch.steps_ms,
        is_talk_rebuilt=session is not None and session.is_rebuilt,
        reply_language=reply_language,
        snippets={each.message_id: each.slot for each in episodes.episodes if each.slot is not None},
        talk=None if player is None else player.older_talk,
        talk_length=_count_talk(player, session),
    )


def _find_episodes(ask: ContextRequest, budget: Budget, player: Player, watch: _Watch) -> FoundEpisodes:
    with watch.step("episodes"):
        found = find_episodes(ask, player.end_user_id, budget)
        return replace(found, pending=find_pending(ask, player.pending))


def _list_degraded(ask: ContextRequest, found: _Found) -> tuple[str, ...]:
    """What the pack does without, each code once."""
    unknown = (USER_UNKNOWN,) if ask.user_id is not None and found.player is None else ()
    session = () if found.session is None else found.session.degraded
    return tuple(dict.fromkeys((*unknown, *found.canon.degraded, *found.episodes.degraded, *session)))


def check_place(ask: ContextRequest) -> None:
    """Raises UnknownParty or UnknownScene where there is no such party or scene. One query, or none."""
    if ask.party_id is not None:
        _, play_row = read_rows(replace(ask, user_id=None), load_budgets().to_budget())
        read_play(ask, play_row)


def _cap_episodes(budget: Budget, player: Player | None) -> Budget:
    """Fewer episodes for newer players. Source: seed 002, fix 6."""
    cap = choose_density_cap(load_budgets().to_density(), player.message_count if player else 0)
    return budget.cap("episodes", max_items=cap.max_items, share=cap.share)


def _let_instructions_win(session: SessionTalk | None, player: Player | None) -> SessionTalk | None:
    """The session without what was inferred where the player asked for something for good."""
    if session is None or session.preference is None or player is None:
        return session
    return replace(session, preference=session.preference.leave_out(list_outranked(player.facts)))


def _find_wished_language(player: Player | None) -> str | None:
    """The code of the language that the player asked to be answered in, for good."""
    wished = find_wished_language(player.facts) if player is not None else None
    language = load_instruction_words().find_language(normalise(wished)) if wished else None
    return language.code if language is not None else None


def _list_own_words(player: Player | None, session: SessionTalk | None) -> list[str]:
    """The player's last messages before the turn's, the latest last."""
    entries = session.entries if session is not None and session.entries else player.talk if player is not None else ()
    return [text for _, role, text in entries if role == "user"][-_TALK_FOR_LANGUAGE:]


def _choose_prompts(ask: ContextRequest, world_languages: Sequence[str], talk: Sequence[str]) -> PromptSet:
    """The prompts in the session's language, else the message's, else the world's."""
    language = choose_frame_language(
        preference=ask.language, message=ask.message, world_languages=world_languages, talk=talk
    )
    return load_prompts()[language]


def _build_system_layer(
    prompts: PromptSet, canon: FoundCanon, speaker: str | None, reply_language: str | None
) -> Layer:
    rules = build_rule_items(
        speaker=speaker,
        prompt_source=prompts.source,
        has_lore=any(layer.name == LORE and layer.items for layer in canon.layers),
        reply_language=name_language(reply_language, prompts.words) if reply_language else None,
    )
    return Layer("system", tuple(rules))


def _build_layers(
    ask: ContextRequest, prompts: PromptSet, budget: Budget, found: _Found, speaker: str | None
) -> list[Layer]:
    canon, player, play, cast = found.canon, found.player, found.play, found.cast
    layers: dict[str, list[Item]] = {
        "npc": build_people_items(cast, ask, prompts.language, budget),
        USER: [build_word_items(ask.message, message_id=ask.message_id)],
    }
    if player is not None:
        layers["facts"] = build_fact_items(player.facts, now=timezone.now())
        layers["instructions"] = build_instruction_items(player.facts)
        layers["pending"] = build_pending_items(found.episodes.pending)
        layers["episodes"] = build_episode_items(found.episodes.episodes)
        if layers["facts"] or layers["episodes"]:
            is_full = load_budgets().context.memory_rules == "full"
            layers[MEMORY_RULES] = build_memory_rule_items(prompts.source, kind=cast.kind, is_full=is_full)
        ids = {"conversation_id": player.conversation_id}
        layers["talk"] = build_talk_items(player.talk, speaker=speaker, source="conversation", ids=ids)
    if found.session is not None:
        layers |= _build_session_layer(ask, prompts, found.session, speaker)
    if player is not None and player.older_talk is not None and player.older_talk.text:
        layers["talk"] = [_build_summary(player.older_talk), *layers["talk"]]
    if play is not None:
        layers["summaries"] = build_summary_items(play, prompts.language)
        layers["state"] = [*build_flag_items(play, prompts.language), *build_event_items(play)]
    if cast.picture is not None:
        layers["art"] = build_picture_items(cast.picture, prompts.words["list_separator"])
    return [*canon.layers, *(Layer(name, tuple(items)) for name, items in layers.items())]


def _count_talk(player: Player | None, session: SessionTalk | None) -> int:
    entries = session.entries if session is not None and session.entries else player.talk if player is not None else ()
    return len(entries)


def _build_summary(older: OlderTalk) -> Item:
    return build_talk_summary_item(
        summary_id=older.summary_id or 0,
        text=older.text,
        evidence=older.evidence,
        conversation_id=older.conversation_id,
    )


def _build_session_layer(
    ask: ContextRequest, prompts: PromptSet, session: SessionTalk, speaker: str | None
) -> dict[str, list[Item]]:
    """The session's talk, if there is any, in place of the conversation's, and what its player prefers."""
    ids = {"session_id": ask.session_id}
    layers: dict[str, list[Item]] = {}
    if session.entries:
        layers["talk"] = build_talk_items(session.entries, speaker=speaker, source="session", ids=ids)
    if session.preference is not None:
        layers["preferences"] = build_preference_items(
            verbosity=session.preference.verbosity or "",
            tone=session.preference.tone or "",
            interest_tags=session.preference.interest_tags,
            ids=ids,
            inferred=session.preference.evidence,
            separator=prompts.words["list_separator"],
        )
    return layers
