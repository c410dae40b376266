"""Art cards: their form, the tags of a text, and how markers meet them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowledge.text.analysis import analyse
from memoryproject.json_schema import FormError
from npcs.profiles.core.markers import normalise_tag, normalise_tags

SCHEMA = "artcard"
MIN_TAGS, MAX_TAGS = 5, 8
MAX_EMBEDDING_DIMS = 4096
MAX_EMBEDDING_MODEL_LENGTH = 120
SHORT_PHRASE_WORDS = 3
SHORT_PHRASE_LETTERS = 24
_PHRASES = re.compile(r"[,;.!?:()\[\]\"«»“”\n…،؛؟、。，；：！？]+")
_WORDS = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WORDS_WITHOUT_LOOKS = (
    "a an and are as at be beside between by for from has have he her his in into is it its near no not of off on or "
    "over she that the their them there they this to under up very was were where which while who with without "
    "в во и из к ко на над не но о об около от по под при с со среди у через что это как его её их из-за он она "
    "في من على إلى عن مع و أو تحت فوق بين هو هي"
)
_FUNCTION_WORDS = frozenset(_WORDS_WITHOUT_LOOKS.split())


@dataclass(frozen=True, slots=True)
class Markers:
    """What pictures of an NPC or a place must and may not carry."""

    kind: str
    owner: str
    must_have: tuple[str, ...]
    banned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A tag that its owner bans."""

    marker: str
    kind: str
    owner: str


@dataclass(frozen=True, slots=True)
class SettledTags:
    """The tags of a card, and what came of the markers."""

    tags: tuple[str, ...]
    added: tuple[str, ...]
    """Must-haves that were missing."""
    dropped: tuple[str, ...]
    """Given tags for which no place was left."""


def list_embedding_errors(content: Mapping[str, Any]) -> list[FormError]:
    """Why the embedding of a card is not one vector; the card must fit its form."""
    embedding = content.get("embedding")
    if embedding is None or len(embedding["vec"]) == embedding["dims"]:
        return []
    message = f"holds {len(embedding['vec'])} numbers, but dims says {embedding['dims']}"
    return [{"path": "embedding.vec", "message": message}]


def find_tags(text: str, *, most: int = MAX_TAGS) -> tuple[str, ...]:
    """Tags of a text without a model: its short phrases, then the telling words of its long ones. Deterministic."""
    found: dict[str, set[str]] = {}
    for candidate in _list_candidates(text):
        tag = normalise_tag(candidate)
        lexemes = set(analyse(candidate))
        if not tag or not lexemes or any(lexemes <= other for other in found.values()):
            continue
        found[tag] = lexemes
        if len(found) == most:
            break
    return tuple(found)


def find_conflict(tags: Iterable[str], markers: Iterable[Markers]) -> Conflict | None:
    """The first tag that someone bans, or None."""
    banned = {tag: each for each in markers for tag in each.banned}
    return next((Conflict(tag, banned[tag].kind, banned[tag].owner) for tag in tags if tag in banned), None)


def list_must_haves(markers: Iterable[Markers]) -> tuple[str, ...]:
    """All must-have markers, each once, in order."""
    return tuple(dict.fromkeys(tag for each in markers for tag in each.must_have))


def settle_tags(given: Sequence[str], found: Sequence[str], markers: Sequence[Markers]) -> SettledTags:
    """Must-haves, then what was given, then enough of what was found: at most eight, or all must-haves."""
    musts = list_must_haves(markers)
    banned = {tag for each in markers for tag in each.banned}
    wanted = normalise_tags(given)
    rest = [tag for tag in wanted if tag not in musts]
    room = max(MAX_TAGS - len(musts), 0)
    kept, dropped = rest[:room], rest[room:]
    tags = [*musts, *kept]
    for tag in found:
        if len(tags) >= (MIN_TAGS if wanted else MAX_TAGS):
            break
        if tag not in tags and tag not in banned:
            tags.append(tag)
    return SettledTags(tuple(tags), tuple(tag for tag in musts if tag not in wanted), tuple(dropped))


def _list_candidates(text: str) -> Iterator[str]:
    phrases = [phrase.strip() for phrase in _PHRASES.split(text) if phrase.strip()]
    for phrase in phrases:
        if len(phrase.split()) <= SHORT_PHRASE_WORDS and len(phrase) <= SHORT_PHRASE_LETTERS:
            words = [word for word in phrase.split() if word.casefold() not in _FUNCTION_WORDS]
            yield " ".join(words)
    for phrase in phrases:
        for word in _WORDS.findall(phrase):
            if len(word) > 2 and word.casefold() not in _FUNCTION_WORDS:
                yield word[:64]
