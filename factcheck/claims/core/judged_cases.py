"""A reply beside a passage of canon as the judge of replies reads the two."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from factcheck.core.sentences import split_sentences

MAX_RUN_WORDS = 40
"""A passage is read in runs of whole sentences of about so many words: among more, the judge misses the one that
matters.
"""
MAX_REPLY_WORDS = 45
MAX_PASSAGE_LENGTH, MAX_QUESTION_LENGTH, MAX_REPLY_LENGTH = 700, 160, 400
"""Characters; what is longer is cut."""
MAX_SENTENCE_LENGTH = 400
"""A row of a table or a text without marks is read in parts of so many characters."""
_BREAK = " || "
_CHARACTERS_A_WORD = 1.8
"""Of scripts that do not part words."""
_MAX_CHARACTERS_A_WORD = 12
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """What one reading holds against each other."""

    title: str
    """Of the passage's article."""
    passage: str
    question: str
    """What the reply answers; it may be empty."""
    reply: str

    def write(self) -> tuple[str, int]:
        """The text that the judge reads, and where the reply begins in it."""
        told = f"{self.title}: {self.passage[:MAX_PASSAGE_LENGTH]}"
        before = f"{told}{_BREAK}{self.question[:MAX_QUESTION_LENGTH]}{_BREAK}"
        return before + self.reply[:MAX_REPLY_LENGTH], len(before)

    def find_passage(self) -> Span:
        """Where the passage stands in that text."""
        start = len(self.title) + 2
        return start, start + len(self.passage[:MAX_PASSAGE_LENGTH])


def list_runs(text: str, max_words: int = MAX_RUN_WORDS) -> Iterator[str]:
    """The text without Markdown in runs of sentences, of about so many words; each begins with the last sentence of the
    run before, where that leaves room for another. A sentence of more words is a run by itself.
    """
    run: list[str] = []
    for sentence in _list_sentences(text):
        if run and _count_words(*run, sentence) > max_words:
            yield " ".join(run)
            run = run[-1:] if _count_words(run[-1], sentence) <= max_words else []
        run.append(sentence)
    if run:
        yield " ".join(run)


def _list_sentences(text: str) -> Iterator[str]:
    for sentence in split_sentences(text):
        yield from textwrap.wrap(sentence, MAX_SENTENCE_LENGTH, break_on_hyphens=False)


def _count_words(*sentences: str) -> float:
    return sum(_count(sentence) for sentence in sentences)


def _count(sentence: str) -> float:
    words = len(sentence.split())
    return words if words * _MAX_CHARACTERS_A_WORD > len(sentence) else len(sentence) / _CHARACTERS_A_WORD
