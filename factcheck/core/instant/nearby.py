"""The things that stand around what is said of them: "hazelnuts = anaphylaxis for me", "nickel. my skin goes red"."""

from __future__ import annotations

import re

from factcheck.core.instant.concepts import ConceptTable
from factcheck.core.instant.listing import ListedValue, is_between_things, list_mentions, read_list, split_tokens
from factcheck.core.instant.messages import FoldedMessage
from factcheck.core.instant.words import read_words

_BORDERS = read_words("borders")
_WEAK = read_words("weak_things")
_MAX_CHARACTERS_BACK = 240
_MAX_WORDS_OF_SENTENCE_BEFORE = 6
_MAX_UNKNOWN_WORDS_OF_LIST = 2
_REFERS_BACK = re.compile(
    r"(?<!\w)(?:it|its|it's|them|they|they're|that|those|this|these|one|any|"
    r"его|ее|их|него|нее|них|ним|ней|ними|это|этого|такое|они|оно|тоже|منه|منها|منهم|منو|عنه|عنها|هاد|هذا|هذي|هذه|ذا|"
    r"mino|minno|menno|minha|menha|minhom|menhom|hada|hatha|haida|da|di)(?!\w)"
)


def read_nearby(
    message: FoldedMessage,
    start: int,
    end: int,
    table: ConceptTable,
    use: str,
    *,
    arabizi: bool = False,
    only_behind: bool = False,
) -> list[ListedValue]:
    """The known things that the words from `start` to `end` are about.

    First those right behind them in their clause; else the nearest before them in the sentence; else those of the
    sentence before, where this one refers back to it or that one is short; else of a list that follows.
    """
    first, last = message.sentence(start, end)
    text = message.text
    after = read_list(text, end, table, use, direct=True, arabizi=arabizi)
    after = [value for value in after if value.end <= last]
    if after or only_behind:
        return after
    before = _read_before(text, max(first, start - _MAX_CHARACTERS_BACK), start, table, use, arabizi=arabizi)
    if before:
        return before
    return _read_sentence_before(message, first, last, table, use, arabizi=arabizi) or _read_list_after(
        message, last, table, use
    )


def _read_before(
    text: str, first: int, start: int, table: ConceptTable, use: str, *, arabizi: bool
) -> list[ListedValue]:
    mentions = list_mentions(text, first, start, table, use, arabizi=arabizi)
    if not mentions:
        return []
    mentions = [mention for mention in mentions if mention.key not in _WEAK]
    if not mentions:
        return []
    borders = [end for word, _, end in split_tokens(text, first, start) if word in _BORDERS]
    inside = [mention for mention in mentions if not borders or mention.start >= borders[-1]]
    return _take_last_group(text, inside or mentions)


def _take_last_group(text: str, mentions: list[ListedValue]) -> list[ListedValue]:
    """The last mentions that are joined to one list."""
    group = [mentions[-1]]
    for mention in reversed(mentions[:-1]):
        if not is_between_things(text, mention.end, group[0].start):
            break
        group.insert(0, mention)
    return group


def _read_sentence_before(
    message: FoldedMessage, first: int, last: int, table: ConceptTable, use: str, *, arabizi: bool
) -> list[ListedValue]:
    text = message.text
    end = first
    while end > 0 and not text[end - 1].isalnum():
        end -= 1
    if end == 0:
        return []
    start, _ = message.sentence(end - 1, end)
    words = [token for token in split_tokens(text, start, end) if token[0][0].isalnum()]
    mentions = [each for each in list_mentions(text, start, end, table, use, arabizi=arabizi) if each.key not in _WEAK]
    if not mentions:
        return []
    if len(words) <= _MAX_WORDS_OF_SENTENCE_BEFORE or _REFERS_BACK.search(text, first, last):
        return _take_last_group(text, mentions)
    return []


def _read_list_after(message: FoldedMessage, last: int, table: ConceptTable, use: str) -> list[ListedValue]:
    """The things of the next sentence, where it is little else than their list."""
    text = message.text
    if last >= len(text):
        return []
    end = message.sentence(last + 1, last + 1)[1] if last + 1 < len(text) else last
    mentions = list_mentions(text, last, end, table, use)
    if not mentions:
        return []
    known = sum(len(split_tokens(text, mention.start, mention.end)) for mention in mentions)
    words = [token for token in split_tokens(text, last, end) if token[0][0].isalnum()]
    return mentions if len(words) - known <= _MAX_UNKNOWN_WORDS_OF_LIST else []
