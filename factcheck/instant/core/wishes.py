"""A sentence that may wish for a manner of speaking: whose wish it is, whether it lasts, and what speaks against it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from factcheck.instant.core.instruction_words import InstructionWords
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.value_types import ReadValue

_NOW = re.compile(r"(?<!\w)(?:now|сейчас|теперь|الحين|الان|دلوقتي|hala2|halla2|delwa2ti|现在)(?!\w)")
_STATE = re.compile(r"(?:be|stay|remain|sound|get)(?!\w)")
_ASKED = re.compile(
    r"(?:^|[,.;:!?()\n—–-]|(?<![\w'])(?:please|pls|plz|you|u|just|always|and|so|then|but|also|rather|kindly|you to"
    r"|try to|sure to|remember to|like you to))\s*$"
)
"""What stands before "be brief" where it is asked for; "it will be nice" is none."""
_MAX_PLAIN_WORDS = 25
_QUESTION_END = re.compile(r"[?؟？]\s*[)\"'»”\s]*$")


@dataclass
class WishedSentence:
    """A sentence of a folded message as readers of instructions look at it; places are those of the sentence."""

    message: FoldedMessage
    first: int
    last: int
    words: InstructionWords
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = self.message.text[self.first : self.last]

    def make(self, key: str, value: str, start: int, end: int) -> ReadValue:
        """An instruction that places of the sentence say."""
        return ReadValue(key, value, self.first + start, self.first + end)

    def quote(self, start: int, end: int) -> str:
        """What was typed between two places of the sentence."""
        return " ".join(self.message.quote(self.first + start, self.first + end).split())

    @cached_property
    def is_lasting(self) -> bool:
        """Whether it says that it holds for good."""
        return self.words.lasting.search(self.text) is not None

    @cached_property
    def is_task(self) -> bool:
        """Whether a text is asked for, and nothing says that the manner is to last."""
        return self.words.task.search(self.text) is not None and not self.is_lasting

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is short, or says that it is to last: in long tasks such words are about the task."""
        return self.is_lasting or len(self.text.split()) <= _MAX_PLAIN_WORDS

    @cached_property
    def is_question(self) -> bool:
        """Whether it asks, and does not ask for a favour."""
        return _QUESTION_END.search(self.text) is not None and not self.words.request.search(self.text)

    @cached_property
    def may_wish(self) -> bool:
        """Whether it may state what is to last: it asks nothing, imagines nothing, and is about no moment."""
        if self.is_question or self.words.imagined.search(self.text):
            return False
        return self.words.once.search(self.words.lasting.sub(" ~ ", self.text)) is None

    @cached_property
    def may_release(self) -> bool:
        """Whether it may let go of a wish: for good, and not as a question about it."""
        if self.is_question or self.words.imagined.search(self.text):
            return False
        return self.words.once.search(_NOW.sub(" ~ ", self.words.lasting.sub(" ~ ", self.text))) is None

    def is_released(self, start: int, end: int) -> bool:
        """Whether the clause around two places says that a wish need not be kept: "you don't have to …"."""
        first = max(self.text.rfind(mark, 0, start) for mark in ",;،") + 1
        last = min((found for mark in ",;،" if (found := self.text.find(mark, end)) >= 0), default=len(self.text))
        return self.words.release_soft.search(self.text[first:last]) is not None

    def is_disliked(self, start: int) -> bool:
        """Whether the author does not want what stands at a place: "I hate short answers"."""
        return self.words.patterns["disliked"].search(self.text[:start]) is not None

    def is_own_wish(self, start: int, end: int) -> bool:
        """Whether the words between two places are the author's wish: nobody else's, and no tale of their own acts."""
        before = self.text[:start]
        if _STATE.match(self.text, start) and not _ASKED.search(before):
            return False
        if (
            self.words.others.search(before)
            or self.words.patterns["to"].search(before)
            or self.words.patterns["told"].search(before)
        ):
            return False
        if self.words.patterns["own_act"].search(before):
            return self.words.patterns["wishing"].match(self.text, start) is not None
        return True

    def is_negated(self, start: int) -> bool:
        """Whether a negation stands right before a place."""
        return self.words.patterns["negated"].search(self.text[:start]) is not None
