"""Notes that say something else than a fact: choices and changes of mind, held against what is known by key.

Rules, not a model: a note must name what it chooses, and the fact must be about the same thing. What is not certain is
no conflict; what is one is shown with both sides, and neither is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knowledge.notebook.core.concepts import find_called_class, find_class, list_words

MAX_TARGET_WORDS = 4
_STOPS = r"вместо|instead|rather|over|and|и|но|but|because|потому|for|для|а|so|since"
_PART = r"[^\s,.;:!?()«»\"“”—–]+"
_NAME = rf"(?P<{{0}}>{_PART}(?: (?!(?:{_STOPS})\b){_PART}){{{{0,3}}}})"
_TO, _FROM = _NAME.format("to"), _NAME.format("old")
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # changed X for Y
        rf"\b(?:replac\w+|swap\w*)\s+{_FROM}\s+(?:with|by|for)\s+{_TO}",
        rf"\b(?:замен\w+|сменил\w*|меняем|поменя\w+)\s+{_FROM}\s+на\s+{_TO}",
        rf"(?:استبدلنا|استبدال|سنستبدل)\s+{_FROM}\s+(?:ب|بـ)\s*{_TO}",
        r"(?:把|将)\s*(?P<old>[^\s，。,把将换改]+?)\s*(?:换成|改成|替换为)\s*(?P<to>[^\s，。,；]+)",
        # moved to Y
        rf"\b(?:switch\w*|mov\w+|migrat\w+|chang\w+|port\w*|transition\w*)\s+(?:over\s+|everything\s+|the \w+\s+|it\s+)?"
        rf"(?:from\s+{_FROM}\s+)?(?:to|onto)\s+{_TO}",
        rf"\b(?:пере(?:й\w+|ход\w+|шли|шёл|шел|ех\w+|езж\w+|вод\w+|вел\w*|вест\w*|нос\w+|несли|ключ\w+|пис\w+)|мигрир\w+|уход\w+|уш\w+)\s+"
        rf"(?:проект\s+|всё\s+|все\s+|данные\s+)?(?:с\s+{_FROM}\s+)?на\s+{_TO}",
        rf"(?:الانتقال|ننتقل|انتقلنا|سننتقل|التحول|تحولنا|التبديل)\s+(?:من\s+{_FROM}\s+)?إلى\s+{_TO}",
        r"(?:改用|换成|换到|切换到|迁移到|转到|改为)\s*(?P<to>[^\s，。,；（(]+)",
        # chose Y (instead of X)
        rf"\b(?:chose|choose|picked|adopt\w*|decided (?:on|for)|went with|going with|go with|use|using|will use)\s+{_TO}"
        rf"(?:\s+(?:instead of|over|rather than)\s+{_FROM})?",
        rf"\b(?:выбра\w+|взяли|возьм\w+|бер[её]м|используем|будем использовать|остановились на|пишем на)\s+{_TO}"
        rf"(?:\s+(?:вместо|а не)\s+{_FROM})?",
        rf"(?:اخترنا|سنستخدم|نستخدم|اعتمدنا)\s+{_TO}(?:\s+(?:بدلا من|بدلاً من)\s+{_FROM})?",
        r"(?:选择|选用|采用|使用|决定用)了?\s*(?P<to>[^\s，。,；而]+)(?:\s*(?:而不是|代替)\s*(?P<old>[^\s，。,；]+))?",
        # X is now Y
        rf"\b(?:is|are)\s+(?:now|no longer {_FROM} but)\s+{_TO}",
        rf"\b(?:теперь|отныне)\s+(?:у нас\s+|это\s+|—\s+)?{_TO}",
    )
)
_NEGATED = re.compile(
    r"\b(?:not|never|don't|won't|didn't|n't|не|нельзя|لا|لن|لم)\s+(?:\w+\s+){0,2}$|(?:不|没|没有|别|不要|不会)$",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[?？؟]\s*$")
_SENTENCE = re.compile(r"[^.!?\n。！？؟]*[.!?\n。！？؟]?")
_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "to",
        "of",
        "в",
        "на",
        "и",
        "или",
        "for",
        "it",
        "this",
        "that",
        "all",
        "это",
        "весь",
        "всё",
        "все",
    ]
)


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact that a note is held against."""

    id: int
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A fact that a note speaks against, and what the note says instead."""

    fact_id: int
    says: str


@dataclass(frozen=True, slots=True)
class _Choice:
    to: str
    old: str
    sentence: str


def find_contradictions(note: str, facts: Iterable[KnownFact]) -> list[Contradiction]:
    """The facts that a newer note speaks against, each once.

    Example: the note «решили переходить на MongoDB» against the fact `db: PostgreSQL` says `MongoDB`: both are names of
    databases.
    """
    choices = list(_list_choices(note))
    found: dict[int, Contradiction] = {}
    for fact in facts if choices else ():
        for choice in choices:
            if _concerns(choice, fact) and not _agrees(choice.to, fact.value):
                found.setdefault(fact.id, Contradiction(fact.id, choice.to[:200]))
    return list(found.values())


def _list_choices(note: str) -> Iterator[_Choice]:
    for match in _SENTENCE.finditer(note):
        sentence = match.group()
        if not sentence.strip() or _ASKED.search(sentence):
            continue
        for pattern in _PATTERNS:
            for each in pattern.finditer(sentence):
                if _NEGATED.search(sentence[: each.start()]):
                    continue
                groups = each.groupdict()
                yield _Choice((groups.get("to") or "").strip(), (groups.get("old") or "").strip(), sentence)


def _concerns(choice: _Choice, fact: KnownFact) -> bool:
    """Whether the choice is about what the fact is about: it names the old value, or the key, or the same class."""
    if choice.old and _agrees(choice.old, fact.value):
        return True
    chosen = find_class(choice.to)
    known, called = find_class(fact.value), find_called_class(fact.key)
    if chosen is not None and chosen in (known, called):
        return called is None or called == chosen or known == chosen
    key_words = [word for word in list_words(fact.key) if len(word) > 1]
    said = list_words(choice.sentence)
    named = bool(key_words) and all(any(_is_form(word, other) for other in said) for word in key_words)
    return named and not _agrees(fact.value, choice.to) and len(list_words(fact.value)) <= MAX_TARGET_WORDS


def _agrees(one: str, other: str) -> bool:
    """Whether two values say the same: one has all telling words of the other, or forms of them."""
    first, second = _telling(one), _telling(other)
    if not first or not second:
        return False
    less, more = sorted((first, second), key=len)
    return all(any(_is_form(word, each) for each in more) for word in less)


def _telling(text: str) -> list[str]:
    return [word for word in list_words(text) if word not in _STOP]


def _is_form(one: str, other: str) -> bool:
    """Whether two words are the same but for an ending. Example: `MongoDB` and `mongo`, `неделя` and `неделю`."""
    if one == other:
        return True
    less, more = sorted((one, other), key=len)
    return len(less) >= 4 and more.startswith(less[: max(4, len(less) - 2)]) and len(more) - len(less) <= 3
