"""Tokens of what fired, and what they may be."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from knowledge.text.tokens import count_tokens

TokenCounter = Callable[[str], int]
_count_remembered = lru_cache(maxsize=4096)(count_tokens)


class TokenMeter:
    """Tokens of a text that grows by whole contents.

    SillyTavern counts the whole text each time. With our own tokenizer the count of a part is added where that gives
    the same: o200k never joins a line break with what follows, unless that is white space or a slash.
    """

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self._text = ""
        self._tokens = 0

    def add(self, part: str) -> int:
        """The tokens of everything added so far, this part included."""
        can_add = self._count is count_tokens and (not self._text or self._text.endswith("\n"))
        if can_add and part and not part[0].isspace() and part[0] != "/":
            self._tokens += _count_remembered(part)
        else:
            self._tokens = self._count(self._text + part) if self._text + part else 0
        self._text += part
        return self._tokens


def count_text(count: TokenCounter, text: str) -> int:
    """The tokens of a text, none of an empty one. Those of our own tokenizer are remembered: books repeat."""
    if not text:
        return 0
    return _count_remembered(text) if count is count_tokens else count(text)


def estimate_tokens(text: str) -> int:
    """SillyTavern's estimate where it has no tokenizer: 3.35 characters a token, in UTF-16."""
    length = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return int(-(-length // 3.35))
