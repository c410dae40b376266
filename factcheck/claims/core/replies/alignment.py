"""A clause laid beside the sentence or field of canon that speaks of the same: what differs is one value of a class.

Nothing here knows deeds or things by name. The words that the clause (and the question that it answers) shares with a
source of canon, weighed by how rare they are in what was told, say whether both speak of the same; a value of a class
(an animal, a trade, a weekday) that stands in one and another of its class in the other is the difference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from factcheck.claims.core.replies.asked import list_telling
from factcheck.claims.core.replies.canon import Canon, Source
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.numbers import is_stated
from factcheck.claims.core.replies.subjects import name_places
from factcheck.claims.core.replies.texts import Text, TypedValue, word_set

MIN_ASKED = 0.5
"""Share of the weight of a question's telling words that a source must hold to be what was asked for."""
MIN_SHARED = 2
MIN_STATED = 0.5
"""Of a clause that is no answer, the words and the share of their weight that a source must hold."""
FROM = frozenset({"of", "from", "от"})
BESIDE = word_set("with at by of to for from при с со к у от за مع عند إلى 跟 和 陪")
HEAD_WORDS = 6
SIMILE_DISTANCE = 3
"""An answer has its value among its first words."""


@dataclass(frozen=True, slots=True)
class _Match:
    source: Source
    is_answer: bool


def compare_alignment(said: Said, canon: Canon, lexicon: Lexicon, *, is_answering: bool) -> list[Finding]:
    """What the aligned source of canon says to the values of one clause."""
    text = said.clause.text
    masked = name_places(text.words, canon)
    values = [each for each in said.values if not masked & set(range(each.start, each.end))]
    if not values:
        return []
    sources = [source for source in canon.sources if source.slug in said.slugs]
    match = _find_asked(said, sources, lexicon) if is_answering else None
    if match is None:
        match = _find_stated(said, values, sources, lexicon)
    if match is None:
        return []
    return [found for value in values if (found := _compare(said, value, values, match, sources, lexicon))][:1]


def _compare(
    said: Said,
    value: TypedValue,
    values: Sequence[TypedValue],
    match: _Match,
    sources: Sequence[Source],
    lexicon: Lexicon,
) -> Finding | None:
    text = said.clause.text
    expected = {each.label for each in match.source.values if each.group == value.group}
    same_group = {each.label for each in values if each.group == value.group}
    if len(expected) != 1 or len(same_group) != 1 or value.label in expected:
        return None
    label = next(iter(expected))
    if f"%{label}" in said.reply_keys or any(value.label == each.label for s in sources for each in s.values):
        return None
    if match.is_answer and value.start >= HEAD_WORDS:
        return None
    asked = {word.lexeme for word in said.question.text.words}
    if {word.lexeme for word in text.words[value.start : value.end]} <= asked:
        return None
    if lexicon.cues["simile"].is_in(text.words[max(value.start - SIMILE_DISTANCE, 0) : value.start]):
        return None
    if _is_relative(text, value, match.source) or _is_beside_kin(text, value):
        return None
    is_sure = is_stated(said, value.start, lexicon) and not said.is_own
    said = replace(said, is_of_stranger=False) if match.is_answer else said
    shown = label.partition(":")[2]
    return said.finding("kind", match.source.quote, match.source.slug, shown, match.source.field, is_sure=is_sure)


def _is_beside_kin(text: Text, value: TypedValue) -> bool:
    """Whether somebody is only with their kin (`at his mother's`, `при матери`)."""
    before = text.words[max(value.start - 2, 0) : value.start]
    return value.group == "kin" and any(word.text in BESIDE for word in before)


def _is_relative(text: Text, value: TypedValue, source: Source) -> bool:
    """Whether the value is of another of its sort (`a wooden one`), or counted from what canon does not name there."""
    if value.end >= len(text.words):
        return False
    after = text.words[value.end].text
    if after in {"one", "ones"}:
        return True
    return (
        value.group == "direction" and after in FROM and not any(keys & source.keys for keys in text.keys[value.end :])
    )


def _weights(sources: Iterable[Source]) -> Counter[str]:
    return Counter(key for source in sources for key in source.keys)


def _weigh(keys: frozenset[str], counts: Counter[str], total: int) -> float:
    """How much a word tells: more, the fewer sources hold it; a word that none holds tells as much as the rarest."""
    held = [counts[key] for key in keys if counts[key]]
    return math.log(1 + total / (min(held) if held else 1))


def _coverage(words: Sequence[frozenset[str]], source: Source, counts: Counter[str], total: int) -> float:
    weights = [_weigh(keys, counts, total) for keys in words]
    held = sum(weight for keys, weight in zip(words, weights, strict=True) if keys & source.keys)
    return held / sum(weights) if weights else 0.0


def _find_asked(said: Said, sources: Sequence[Source], lexicon: Lexicon) -> _Match | None:
    """The one source that holds what the question asks for."""
    question = said.question
    if question.is_negated or not question.asks & {"which", "who", "when"} or len(said.slugs) != 1:
        return None
    if lexicon.lists["asked_self"].is_in(question.text.words):
        return None
    words = list_telling(said, lexicon, covered=lexicon.asked_kinds.places(question.text.words))
    if not words:
        return _find_place(said, sources, lexicon)
    counts, total = _weights(sources), max(len(sources), 1)
    ranked = sorted(
        ((_coverage(words, each, counts, total), index) for index, each in enumerate(sources)), reverse=True
    )
    if not ranked or ranked[0][0] < MIN_ASKED:
        return None
    best = [sources[index] for share, index in ranked if share == ranked[0][0]]
    chosen = next((each for each in best if each.values), None)
    return None if chosen is None or chosen.is_unsure else _Match(chosen, is_answer=True)


def _find_place(said: Said, sources: Sequence[Source], lexicon: Lexicon) -> _Match | None:
    """Where a question asks for no more than where something is: the one source that gives a direction."""
    if not lexicon.lists["ask_where"].is_in(said.question.text.words):
        return None
    known = [source for source in sources if any(each.group == "direction" for each in source.values)]
    return _Match(known[0], is_answer=True) if len(known) == 1 and not known[0].is_unsure else None


def _find_stated(
    said: Said, values: Sequence[TypedValue], sources: Sequence[Source], lexicon: Lexicon
) -> _Match | None:
    """The one source that says most of what the clause says."""
    text = said.clause.text
    words = _list_own_words(said, text, values, lexicon)
    counts, total = _weights(sources), max(len(sources), 1)
    groups = {value.group for value in values}
    found: list[tuple[float, int]] = []
    for index, source in enumerate(sources):
        if source.is_unsure or not groups & {each.group for each in source.values}:
            continue
        shared = {key for keys in words for key in keys & source.keys}
        if sum(1 for keys in words if keys & source.keys) < MIN_SHARED or not shared:
            continue
        share = _coverage(words, source, counts, total)
        if share >= MIN_STATED:
            found.append((share, index))
    if not found:
        return None
    found.sort(reverse=True)
    return _Match(sources[found[0][1]], is_answer=False)


def _list_own_words(said: Said, text: Text, values: Sequence[TypedValue], lexicon: Lexicon) -> list[frozenset[str]]:
    idle = {place for each in values for place in range(each.start, each.end)}
    idle |= lexicon.lists["address"].places(text.words)
    return [keys for place, keys in enumerate(text.keys) if keys and place not in idle and not keys & said.type_keys]
