"""Found things as items of a pack: each with its line, its place among others, and where it comes from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowledge.facts.core.instructions import INSTRUCTION, KINDS
from runtime.context.core.episodes import Episode
from runtime.context.core.pack import PLACE, Item, Part, Provenance

SAFETY_TYPES = ("allergy", "hard_ban")
"""What may never be left out. Source: seed 002, fix 3."""
RELIABLE_SOURCES = frozenset({"instant_pattern", "onboarding"})
RELIABLE_FROM = 0.9
OLD_AFTER = dt.timedelta(days=90)
RECENT = dt.timedelta(days=30)
"""An episode of the last 30 days outweighs a fact older than 90. Source: seed 002, fix 10."""
OUTRANKED_BY: Mapping[str, frozenset[str]] = {
    "verbosity": frozenset({"length"}),
    "tone": frozenset({"tone", "formality"}),
    "language": frozenset({"language"}),
}
"""Field of a preference to the kinds of instructions before which it gives way where it is inferred."""
MAX_INSTRUCTIONS_LENGTH = 480
"""Characters of standing instructions that no pack leaves out: about 150 tokens, 300 in Arabic."""
_PLAIN_KEYS = frozenset({"size", "general", "style"})


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of the player."""

    id: int
    type: str
    key: str
    value: str
    confidence: float
    source: str
    evidence: tuple[int, ...]
    valid_from: dt.datetime
    is_disputed: bool


def build_word_items(message: str, *, message_id: int | None) -> Item:
    """The message to be answered; by its id in RAW, where it has one, it is told nowhere else."""
    ids = {} if message_id is None else {"message_id": message_id}
    return Item(f"message:{message_id or 'current'}", message, Provenance("request", ids), is_protected=True)


def build_rule_items(
    *, speaker: str | None, prompt_source: str, has_lore: bool, reply_language: str | None
) -> list[Item]:
    """Who speaks, in which language (by its name), and what to do without canon."""
    source = Provenance("prompt", {"file": prompt_source})

    def rule(name: str, **more: Any) -> Item:
        return Item(f"system:{name}", "", source, template=name, is_protected=True, **more)

    role = rule("narrator") if speaker is None else rule("npc", values={"name": speaker})
    rules = [role]
    if not has_lore:
        rules.append(rule("no_lore"))
    if reply_language:
        rules.append(rule("reply", values={"language": reply_language}))
    return rules


def build_memory_rule_items(prompt_source: str, *, kind: str, is_full: bool) -> list[Item]:
    """Which memory wins, and how to speak of it: in the wording of the world's kind, or the whole texts."""
    source = Provenance("prompt", {"file": prompt_source})
    names = ("arbitration", "naturalness") if is_full else (kind,)
    return [Item(f"memory_rules:{name}", "", source, template=name, is_protected=True) for name in names]


def build_fact_items(facts: Sequence[Fact], *, now: dt.datetime) -> list[Item]:
    """What is known of the player but for their instructions: what concerns safety first, then the newest."""
    told = [fact for fact in facts if fact.type != INSTRUCTION]
    ranked = sorted(told, key=lambda fact: (fact.type not in SAFETY_TYPES, -fact.valid_from.timestamp(), -fact.id))
    return [
        _build_known_item(
            fact,
            _say_fact(fact),
            template=_choose_fact_line(fact, now),
            label=f"fact_{fact.type}",
            is_protected=fact.type in SAFETY_TYPES,
        )
        for fact in ranked
    ]


def build_instruction_items(facts: Sequence[Fact]) -> list[Item]:
    """How the player wants to be spoken to: kinds first, then wishes in their own words, each the newest first.

    The first ones, within `MAX_INSTRUCTIONS_LENGTH` together, are told always; disputed ones are not protected.
    """
    wishes = [fact for fact in facts if fact.type == INSTRUCTION]
    ranked = sorted(
        wishes, key=lambda fact: (fact.is_disputed, fact.key not in KINDS, -fact.valid_from.timestamp(), -fact.id)
    )
    items, length = [], 0
    for fact in ranked:
        length += len(fact.value)
        items.append(
            _build_known_item(
                fact,
                fact.value,
                template="instruction_disputed" if fact.is_disputed else "instruction",
                label=f"instruction_{fact.key if fact.key in KINDS else 'wish'}",
                is_protected=not fact.is_disputed and length <= MAX_INSTRUCTIONS_LENGTH,
            )
        )
    return items


def _build_known_item(fact: Fact, text: str, *, template: str, label: str, is_protected: bool) -> Item:
    """A line for a known fact; `label` is the term that says what kind it is."""
    return Item(
        id=f"fact:{fact.id}",
        text=text,
        provenance=Provenance(
            "fact",
            {"fact_id": fact.id, "type": fact.type, "source": fact.source, "is_disputed": fact.is_disputed},
            evidence=fact.evidence,
            scores={"confidence": fact.confidence},
        ),
        template=template,
        terms={"type": label},
        is_protected=is_protected,
    )


def find_wished_language(facts: Sequence[Fact]) -> str | None:
    """The value of the standing instruction about the language to answer in."""
    wished = (
        fact.value for fact in facts if fact.type == INSTRUCTION and fact.key == "language" and not fact.is_disputed
    )
    return next(wished, None)


def list_outranked(facts: Sequence[Fact]) -> list[str]:
    """The fields of a preference about which the player asked for something for good, in undisputed instructions."""
    wishes = {fact.key for fact in facts if fact.type == INSTRUCTION and not fact.is_disputed}
    return [field for field, keys in OUTRANKED_BY.items() if wishes & keys]


def build_episode_items(episodes: Sequence[Episode]) -> list[Item]:
    """Remembered messages in their own words, the best first."""
    return [
        Item(
            id=f"message:{episode.message_id}",
            text=episode.excerpt,
            provenance=Provenance(
                "episode",
                {
                    "message_id": episode.message_id,
                    "conversation_id": episode.conversation_id,
                    "snippet": episode.snippet,
                    "memory_type": episode.memory_type,
                },
                evidence=(episode.message_id, *(each.message_id for each in episode.neighbours)),
                scores={"score": episode.score, **(episode.scores or {}), PLACE: place},
            ),
            template="episode_recent" if episode.is_recent else "episode",
            terms={"speaker": f"speaker_{episode.role}"},
            parts=_build_parts(episode),
        )
        for place, episode in enumerate(episodes, start=1)
    ]


def build_talk_items(
    entries: Sequence[tuple[int, str, str]], *, speaker: str | None, source: str, ids: Mapping[str, Any]
) -> list[Item]:
    """The last messages of a talk (id, role, text), oldest first; the newest stay the longest."""
    items = []
    for place, (message_id, role, text) in enumerate(entries):
        is_user = role == "user"
        items.append(
            Item(
                id=f"message:{message_id}",
                text=text,
                provenance=Provenance(source, {**ids, "message_id": message_id}, evidence=(message_id,)),
                template="user" if is_user else "assistant" if speaker else "assistant_unnamed",
                values={} if is_user or not speaker else {"name": speaker},
                priority=place,
            )
        )
    return items


def build_talk_summary_item(*, summary_id: int, text: str, evidence: tuple[int, ...], conversation_id: int) -> Item:
    """What was said before the talk that is told, as a model summed it up; never a source of facts."""
    return Item(
        id=f"talk_summary:{summary_id}",
        text=text,
        provenance=Provenance("talk_summary", {"conversation_id": conversation_id}, evidence=evidence),
        template="summary",
        priority=-1,
        is_apart=True,
    )


def build_pending_items(entries: Sequence[tuple[int, str]]) -> list[Item]:
    """The player's words that no extraction has read yet, oldest first."""
    return [
        Item(
            id=f"message:{message_id}",
            text=text,
            provenance=Provenance("pending", {"message_id": message_id}, evidence=(message_id,)),
            template="message",
            priority=place,
        )
        for place, (message_id, text) in enumerate(entries)
    ]


def build_preference_items(
    *,
    verbosity: str,
    tone: str,
    interest_tags: Sequence[str],
    ids: Mapping[str, Any],
    separator: str,
    inferred: Mapping[str, tuple[int, ...]] | None = None,
) -> list[Item]:
    """What the session's player prefers; `inferred` names the messages that fields rest on which nobody set."""
    known = inferred or {}

    def build(name: str, field: str, text: str = "", *, template: str) -> Item:
        more = {"inferred": True} if field in known else {}
        source = Provenance("preference", {**ids, **more}, evidence=known.get(field, ()))
        return Item(f"preference:{name}", text, source, template=template)

    items = []
    if verbosity in ("brief", "normal", "detailed"):
        items.append(build("verbosity", "verbosity", template=f"verbosity_{verbosity}"))
    if tone in ("casual", "formal", "respectful"):
        items.append(build("tone", "tone", template=f"tone_{tone}"))
    if interest_tags:
        items.append(build("interests", "interest_tags", separator.join(interest_tags), template="interests"))
    return items


def _build_parts(episode: Episode) -> tuple[Part, ...]:
    snippet = (Part("snippet", episode.snippet),) if episode.snippet else ()
    span = (Part("span", each.text, {"speaker": f"speaker_{each.role}"}) for each in episode.neighbours)
    return (*snippet, *span)


def _say_fact(fact: Fact) -> str:
    """The value, with the key where that adds something."""
    value, key = fact.value, fact.key.replace("_", " ")
    folded = value.casefold()
    if not key or key in _PLAIN_KEYS or key.casefold() in folded or folded in key.casefold():
        return value
    return f"{value} ({key})"


def _choose_fact_line(fact: Fact, now: dt.datetime) -> str:
    if fact.is_disputed:
        return "fact_disputed_kept" if fact.type in SAFETY_TYPES else "fact_disputed"
    is_reliable = fact.source in RELIABLE_SOURCES and fact.confidence >= RELIABLE_FROM
    is_old = now - fact.valid_from > OLD_AFTER
    return "_".join(["fact", *(["reliable"] if is_reliable else []), *(["old"] if is_old else [])])
