"""Which of the assistant's questions a message answers that does not stand right behind it.

"Any allergies?" - "hm, let me think" - "Take your time." - "peanuts". And "peanuts" - "oh and eggs".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from factcheck.extraction.core.given import GivenMessage
from factcheck.instant.core.messages import fold
from factcheck.instant.core.questions import detect_asked
from factcheck.instant.core.value_lists import list_words
from factcheck.instant.core.words import read_words

MAX_DISTANCE = 6
"""Messages back; further away the talk has moved on."""
MAX_DEFERRAL_WORDS = 10
_DEFERRALS = read_words("deferrals")
_CONTINUATIONS = read_words("continuations")
_NO = read_words("answer_refusals")
_QUESTION_MARKS = ("?", "؟")
_TAIL = 40
"""Characters at a message's end in which a question mark asks: "…right? 🙂"."""


def find_open_question(
    messages: Sequence[GivenMessage], index: int, *, has_answered: Callable[[int, int], bool]
) -> int | None:
    """The index of the assistant's message that asked what this message answers, where other messages stand between.

    Those must put the answer off, ask back, or, where this one goes on ("and eggs"), have answered themselves:
    `has_answered(answer, question)`. Else the question is closed. `messages` are of one conversation, in order.
    """
    asker = messages[index]
    is_going_on = _begins(asker.content, _CONTINUATIONS)
    is_put_off = has_begun = False
    for place in range(index - 1, max(index - 1 - MAX_DISTANCE, -1), -1):
        message = messages[place]
        if message.session != asker.session:
            return None
        if message.role == "assistant":
            if detect_asked(message.content):
                return place if is_put_off and place < index - 1 else None
            if _asks(message.content):
                return None
        elif message.role == "user":
            if is_going_on and not has_begun and not is_put_off:
                question = _find_asker(messages, place)
                if question is not None and has_answered(place, question):
                    return question
            if not is_deferral(message.content) and not _asks(message.content):
                return None
            is_put_off = has_begun = True
    return None


def is_deferral(text: str) -> bool:
    """Whether a short message puts an answer off and gives none."""
    words = list_words(fold(text))
    if not words:
        return True
    if len(words) > MAX_DEFERRAL_WORDS or not _NO.isdisjoint(words[:1]):
        return False
    return not _DEFERRALS.isdisjoint(words)


def _find_asker(messages: Sequence[GivenMessage], index: int) -> int | None:
    """The assistant's message right before one, where it asks for a fact."""
    if index == 0 or messages[index - 1].role != "assistant":
        return None
    return index - 1 if detect_asked(messages[index - 1].content) else None


def _begins(text: str, words: frozenset[str]) -> bool:
    said = list_words(fold(text))[:2]
    return any(word in words for word in said)


def _asks(text: str) -> bool:
    """Whether a message ends with a question."""
    end = text.rstrip()[-_TAIL:]
    return any(mark in end for mark in _QUESTION_MARKS) or list_words(fold(text))[-1:] == ["吗"]
