"""What a short answer says about manner, where the assistant asks for it: "How shall I call you?" – "Mags is fine"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factcheck.instant.core.answer_choices import ORDINALS
from factcheck.instant.core.answers import skip_openers
from factcheck.instant.core.asked_of import is_of_others
from factcheck.instant.core.chosen_options import OPTION_SEPARATOR
from factcheck.instant.core.instruction_names import read_given_name
from factcheck.instant.core.instruction_words import AskedManner, load_instruction_words
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.wishes import WishedSentence
from factcheck.instant.core.words import read_words

MAX_WORDS = 25
"""A longer reply says something else, or says it in full."""
_CLAUSE_END = re.compile(
    r"[.,!?;:()\n،؛。，！？]|\s[-–—]+\s|(?<!\w)(?:but|because|'?cause|cuz|for|when|но|а|для|بس|لكن|لل\w+|bas|但)(?!\w)"
)
_CLAUSE_JOINT = re.compile(
    r"(?:[.,!;:()\n،؛。，！]|\s[-–—]+\s)\s*(?:(?:and|и|و|w)\s+)?|\s(?:and|и|w)\s+|\sو(?:\s+|(?=\w))"
)
_AS_YOU_LIKE = compile_phrases("answers", "as_you_like")
_MAY_BE_REFUSED = frozenset({"emoji"})
"""A bare no is an answer about them."""
_UNSAID = frozenset().union(
    ORDINALS.keys(), *map(read_words, ("deferrals", "answer_no_things", "answer_yes", "answer_refusals", "borders"))
)


def read_wish_answers(message: FoldedMessage, question: str) -> Iterator[ReadValue]:
    """The wishes that answer a question of `find_question`, one a thing that is asked."""
    if not question or len(message.text.split()) > MAX_WORDS or is_of_others(question):
        return
    words = load_instruction_words()
    start = skip_openers(message.text)
    sentence = WishedSentence(message, max(start, 0), len(message.text), words)
    if sentence.is_question or _AS_YOU_LIKE.search(sentence.text):
        return
    opening = _read_opening(sentence.text)
    for asked in words.asked:
        if start < 0 and asked.key not in _MAY_BE_REFUSED:
            continue
        if asked.asks.search(question) or (asked.key == "language" and _offers_languages(opening, question)):
            found = _read(sentence, opening, asked)
            if found is not None:
                yield found


def _offers_languages(opening: str, question: str) -> bool:
    """Whether a choice between languages is offered, of which the answer names one."""
    if OPTION_SEPARATOR.search(question) is None:
        return False
    language = load_instruction_words().find_language(opening)
    return language is not None and language.names.search(question) is not None


def _read_opening(answer: str) -> str:
    """The first clause: what is said behind it may be of something else."""
    mark = _CLAUSE_END.search(answer)
    return answer[: mark.start()] if mark else answer


def _read_later_name(sentence: WishedSentence) -> ReadValue | None:
    """A name behind something else, where words say that it is one: "they/them, and Robin is fine", «на ты, я Лёха»."""
    for joint in _CLAUSE_JOINT.finditer(sentence.text):
        part = WishedSentence(sentence.message, sentence.first + joint.end(), sentence.last, sentence.words)
        leads = (sentence.words.name_cue, sentence.words.name_mine)
        opening = _read_opening(part.text)
        if any(lead.match(part.text) for lead in leads) or sentence.words.name_trailing.search(opening):
            named = read_given_name(part, _UNSAID)
            if named is not None:
                return named
    return None


def _read(sentence: WishedSentence, opening: str, asked: AskedManner) -> ReadValue | None:
    if asked.key == "name":
        return read_given_name(sentence, _UNSAID) or _read_later_name(sentence)
    if asked.key == "language":
        language = sentence.words.find_language(opening)
        place = language.names.search(opening) if language else None
        if language is None or place is None or sentence.is_negated(place.start()):
            return None
        return sentence.make(asked.key, language.name, *place.span())
    found = [(value, match) for value, expression in asked.values if (match := expression.search(opening))]
    if len(found) != 1 or sentence.is_negated(found[0][1].start()):
        return None
    value, match = found[0]
    return sentence.make(asked.key, value, *match.span())
