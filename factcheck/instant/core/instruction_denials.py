"""Standing instructions that a message takes back: "you can stop calling me Captain", «больше не надо коротко».

A release says that a wish need not be kept any more; where the same message wishes anew for the same kind, that wish
takes the old one's place by itself, and nothing is denied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clauses import split_sentences
from factcheck.instant.core.concepts import stems_of
from factcheck.instant.core.denial_clauses import is_own
from factcheck.instant.core.denials import Denial
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.forms import find_russian_nominative
from factcheck.instant.core.instruction_words import load_instruction_words
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.wishes import WishedSentence
from knowledge.facts.core.types import WISH_TYPES

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_MIN_SHARE = 0.6
"""Of the words of a free wish that a release has to name."""
_MIN_WORDS = 2
_MAX_WORDS = 9
_REFUSED = "not_called_"


def may_release(folded: str) -> bool:
    """Whether a folded text may let go of a wish, forbid what it asks for, or name the author anew."""
    words = load_instruction_words()
    return any(each.search(folded) for each in (words.release_soft, words.release_hard, words.name_cue))


def find_instruction_denials(
    message: FoldedMessage, spoken: AuthorSpans, facts: Sequence[KnownFact], extracted: Sequence[ExtractedFact]
) -> list[Denial]:
    """The standing instructions among the facts that the message lets go of, each with the sentence that does it."""
    wished = {new.key for new in extracted if new.type in WISH_TYPES}
    known = [fact for fact in facts if fact.type in WISH_TYPES and fact.key not in wished]
    if not known:
        return []
    words = load_instruction_words()
    found: dict[int, Denial] = {}
    for part in split_sentences(message.text):
        sentence = WishedSentence(message, part.start, part.end, words)
        if not is_own(message, spoken, part.start, part.end):
            continue
        for fact in _list_released(sentence, known):
            found.setdefault(fact.id, Denial(fact, "explicit", part.start, part.end))
    renamed = {fold(new.value) for new in extracted if new.type in WISH_TYPES and new.key == "name"}
    for fact in known:  # who is called so again is not to be called so no longer
        if fact.key.startswith(_REFUSED) and any(fact.key == _REFUSED + name.replace(" ", "_") for name in renamed):
            found.setdefault(fact.id, Denial(fact, "explicit", 0, len(message.text)))
    return list(found.values())


def _list_released(sentence: WishedSentence, known: Sequence[KnownFact]) -> Iterator[KnownFact]:
    words = sentence.words
    soft = words.release_soft.search(sentence.text)
    hard = words.release_hard.search(sentence.text)
    release = soft or hard
    if release is None or not sentence.may_release or sentence.is_negated(release.start()):
        return
    if not sentence.is_own_wish(release.start(), release.end()):
        return
    is_plain = words.patterns["kept"].search(sentence.text) is None and _is_of_talk(sentence)
    for fact in known if is_plain else ():
        topic = words.topics.get(f"{fact.key} {fact.value}") or words.topics.get(fact.key)
        if topic is None:
            is_meant = soft is not None and _says(sentence, fact)
        elif fact.key == "name":
            is_meant = _names(sentence, fact.value) and topic.search(sentence.text) is not None
        elif fact.key == "language":
            named = words.find_language(sentence.text)
            is_meant = named is not None and named.name == fact.value and topic.search(sentence.text) is not None
        else:
            is_meant = soft is not None and topic.search(sentence.text) is not None
        if is_meant:
            yield fact


def _is_of_talk(sentence: WishedSentence) -> bool:
    """Whether it is about this talk: short, or with "any more", "with me", "now" in it."""
    return (
        len(_WORD.findall(sentence.text)) <= _MAX_WORDS
        or sentence.words.patterns["of_talk"].search(sentence.text) is not None
    )


def _names(sentence: WishedSentence, value: str) -> bool:
    wanted, said = stems_of(fold(value)), stems_of(sentence.text)
    if any(_in_nominative(word[0]) == fold(value) for word in _WORD.finditer(sentence.text)):
        return True
    return any(said[place : place + len(wanted)] == wanted for place in range(len(said)))


def _in_nominative(word: str) -> str:
    return find_russian_nominative(word) or word


def _says(sentence: WishedSentence, fact: KnownFact) -> bool:
    wanted = set(stems_of(fact.key.replace("_", " ")))
    shared = wanted & set(stems_of(sentence.text))
    return len(shared) >= min(_MIN_WORDS, len(wanted)) and len(shared) >= _MIN_SHARE * len(wanted)
