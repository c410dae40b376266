"""Questions that only point at something: "that thing", «тот раз», 那件事, ذاك. What they point at was named before.

A pointing question is answered by the last names of the talk: those of the newest message that has any come first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from episodes.events.core.names import is_named
from knowledge.text.analysis import analyse_document
from knowledge.text.folding import normalise

SHORT = 30
"""Characters: a question that is shorter and names nothing is vague. Source: spec of event nodes, retrieval."""
MAX_TALK = 12
"""Messages that are looked back over."""
MAX_NAMES = 4
MAX_BESIDE, MAX_BESIDE_LENGTH = 2, 300
"""Messages beside a vague question whose words it is searched by as well, and characters of each."""
_ENGLISH = r"""
\b(?:that|those|this|the\ same|the\ other|a\ certain)\ (?:one\ )?(?:whole\ )?(?:thing|things|time|times|day|days|night|
nights|evening|morning|week|story|stories|place|places|guy|man|men|woman|girl|boy|kid|person|people|stranger|
fight|battle|
quarrel|argument|talk|conversation|deal|bargain|promise|oath|vow|secret|letter|gift|trip|journey|adventure|
incident|event|
affair|business|matter|mess|mission|quest|job|dream|trick|joke|moment|occasion|encounter|meeting|party|feast|one)\b|
\b(?:back\ then|last\ time|the\ last\ time|the\ first\ time|at\ that\ time|the\ other\ (?:day|night|time)|
earlier|once\ before)\b|
\b(?:remember|recall|forget|forgot|remind)\b|\bwhat\ happened\b|\bwhat\ was\ it\b|\b(?:where|when|how|
why)\ (?:was|did)\ (?:that|it|we)\b|
\bthe\ thing\ (?:with|about|from|at|we|you|i)\b|\byou\ know\ what\b
"""
_RUSSIAN = r"""
\b(?:тот|та|то|те|того|той|тех|тому|тем|ту|теми|этот|эта|эту|этой|того\ самого|той\ самой|ту\ самую|
тот\ самый)\ (?:самый\ |самая\ |самую\ |самой\ )?
(?:раз|раза|разу|разом|случай|случае|случая|истори\w+|дел[оауе]м?|ноч\w+|день|дня|дне|дню|вечер\w*|утр\w+|
врем\w+|человек\w*|парн\w+|парень|
мужик\w*|женщин\w+|девушк\w+|незнаком\w+|мест\w+|вещ\w+|штук\w+|разговор\w*|ссор\w+|драк\w+|бо[йяюе]|битв\w+|
сделк\w+|обещани\w+|клятв\w+|
секрет\w*|тайн\w+|письм\w+|подар\w+|поездк\w+|приключени\w+|событи\w+|происшестви\w+|задани\w+|сон|сна|сне|
шутк\w+|момент\w*|встреч\w+|пир\w*|праздник\w*)|
\b(?:тогда|в\ прошлый\ раз|в\ тот\ раз|в\ первый\ раз|давеча|раньше|прежде|как-то\ раз|однажды)\b|
\b(?:помнишь|помните|вспомни\w*|напомни\w*|забыл\w*|помнится)\b|
\bчто\ (?:тогда\ |там\ |же\ )*(?:было|случилось|произошло|стало)\b|\bто,?\ (?:что|как|о\ чем)\b|\bпро\ (?:то|
это)\b|\b(?:той|этой)\ самой\b
"""
_ARABIC = r"""
\b(?:ال)?(?:ذاك|ذلك|تلك|هذاك|هداك|هذيك|هديك|ديك|داك)\b|\b(?:ال)?(?:مره|مرة)\ (?:ال)?(?:ماضيه|سابقه|اولي|اخيره|
فاتت|اللي\ فاتت)\b|\b(?:انذاك|وقتها|وقتئذ|حينها|يومها|ليلتها|ساعتها|سابقا|قبل\ كده|من\ قبل)\b|
\b(?:هل\ )?(?:تذكر\w*|تتذكر\w*|اتذكر\w*|فاكر\w*|ذكرني|متذكر\w*|نسيت)\b|\bما(?:ذا)?\ (?:الذي\ )?(?:حدث|جري|
حصل)\b|\b(?:ايش|شو|وش|ايه)\ (?:اللي\ )?(?:صار|حصل|حدث)\b|\bاللي\ (?:صار|حصل)\b|\bنفس\ (?:ال)?\w+
"""
_CHINESE = (
    r"那(?:件|桩|回|次|场|段|个|位|天|晚|夜|时|年|里|儿|边|些|种)(?:事情|事儿|事)?|上(?:次|回)|当(?:时|初|年|晚|天)|之前|以前|曾经|那会儿|"
    r"记得|想起|提醒|忘了|发生了什么|怎么回事|这件事|此事|那事"
)
POINTING: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(_ENGLISH, re.VERBOSE),
    "ru": re.compile(_RUSSIAN, re.VERBOSE),
    "ar": re.compile(_ARABIC, re.VERBOSE),
    "zh": re.compile(_CHINESE),
}
"""One entry a language; all are looked for, since talk mixes them."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name that leads to events, as it is compared. `type` is empty for a keyword."""

    name: str
    folded: str
    type: str
    events: int = 0
    """In how many events it stands."""
    roots: tuple[int, ...] = ()
    """What stands in the graph for whom it means; a name that stands in no event leads to events by these alone."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a question is searched by: the names in it, and where it only points, those that it points at."""

    named: tuple[KnownName, ...]
    pointed_at: tuple[KnownName, ...] = ()
    is_vague: bool = False

    @property
    def names(self) -> tuple[KnownName, ...]:
        """All of them."""
        return (*self.named, *self.pointed_at)


def is_pointing(query: str) -> bool:
    """Whether a question holds words that point at something named before, in any of the languages."""
    text = normalise(query)
    return any(pattern.search(text) for pattern in POINTING.values())


def is_maybe_vague(query: str) -> bool:
    """Whether a question is vague, unless it turns out to name somebody."""
    return is_pointing(query) or len(query.strip()) < SHORT


def leave_out_pointing(query: str) -> str:
    """What a question says beside the words that only point: `the tavern` of "that thing at the tavern"."""
    text = normalise(query)
    for pattern in POINTING.values():
        text = pattern.sub(" ", text)
    return " ".join(text.split())


def list_beside(query: str, talk: Sequence[str]) -> list[str]:
    """The beginnings of the last messages before a question: what a vague one is about is said there, or nowhere."""
    before = [text for text in talk if text.strip() != query.strip()]
    return [text[:MAX_BESIDE_LENGTH] for text in before[-MAX_BESIDE:]]


def build_context_query(query: str, talk: Sequence[str]) -> str:
    """A vague question as it is compared by meaning: with the last messages, and without what only points."""
    beside = list_beside(query, talk)
    if not beside and not is_pointing(query):
        return query
    return " ".join([*beside, leave_out_pointing(query)]).strip() or query


def name_expanded(reference: Reference, words: str, known: Sequence[KnownName]) -> Reference:
    """A vague reference with the names that a model took it to point at, before those of the talk."""
    lexemes = frozenset(analyse_document(words))
    taken = [each for each in known if is_named(each.folded, lexemes) and each not in reference.named]
    pointed = dict.fromkeys([*(each for each in taken if each.type), *reference.pointed_at])
    return Reference(reference.named, tuple(pointed)[:MAX_NAMES], is_vague=True)


def resolve_reference(query: str, talk: Sequence[str], known: Sequence[KnownName]) -> Reference:
    """The names of a question, and of a vague one the last names of the talk before it, the newest message first.

    `talk` is in order, without the question. Of one message, names come before keywords. A question that names somebody
    is not vague, whatever else it points at.
    """
    spoken = frozenset(analyse_document(query))
    named = tuple(each for each in known if is_named(each.folded, spoken))
    is_vague = not any(each.type for each in named) and (is_pointing(query) or len(query.strip()) < SHORT)
    if not is_vague:
        return Reference(named)
    found: dict[str, KnownName] = {}
    for text in list(reversed(talk))[:MAX_TALK]:
        lexemes = frozenset(analyse_document(text[:4000]))
        here = [each for each in known if each.folded not in found and is_named(each.folded, lexemes)]
        for each in sorted(here, key=lambda name: (not name.type, -len(name.folded))):
            found.setdefault(each.folded, each)
        if len(found) >= MAX_NAMES:
            break
    pointed = [each for each in found.values() if each not in named]
    typed = [each for each in pointed if each.type]
    return Reference(named, tuple((typed or pointed)[:MAX_NAMES]), is_vague=True)
