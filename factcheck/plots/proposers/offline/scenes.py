"""Where and when a chunk plays, by the words of its language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from episodes.events.core.plot import PLACE, Entity
from factcheck.core.tokens import Token, Tokens, find_sequence, name_sequence
from factcheck.plots.core.chunk import Chunk, ChunkIndex
from factcheck.plots.proposers.offline.words import ARABIC, CHINESE, StoryWords
from knowledge.text.folding import normalise

MAX_BEFORE, MAX_AFTER = 3, 2
MAX_TITLE_LENGTH = 60
_CLOSING = re.compile('[»“”"」』]')
_OPENING = frozenset('«“„"「『')
"""A word for places before a quotation mark is a title: таверна «Лунный свет»."""
_ARTICLES = frozenset({"the", "a", "an", "this", "that", "my", "our", "your", "his", "her", "their"})


def find_location(chunk: Chunk, index: ChunkIndex, entities: Sequence[Entity], words: StoryWords) -> str:
    """Where it plays: the place named most by its name, else the last one that a word for places tells."""
    named = Counter[str]()
    for entity in entities:
        if entity.type == PLACE:
            named[entity.name] = sum(_count(tokens, entity.name) for _, tokens in index.lines)
    phrases: list[str] = []
    for line, (_, tokens) in zip(chunk.lines, index.lines, strict=True):
        phrases += _find_han_places(line.shown) if words is CHINESE else _find_places(tokens, words)
    if words is CHINESE and phrases:
        return Counter(phrases).most_common(1)[0][0]
    titled = [phrase for phrase in phrases if any(entity.name in phrase for entity in entities)]
    if named and named.most_common(1)[0][1] > 0:
        best = named.most_common(1)[0][0]
        return next((phrase for phrase in titled if best in phrase), best)
    if titled:
        return titled[-1]
    return Counter(phrases).most_common(1)[0][0] if phrases else ""


def find_timestamp(chunk: Chunk, words: StoryWords) -> str:
    """When it plays within the story: the last numbered day, and the last part of a day, as they were said."""
    day = part = ""
    for line in chunk.lines:
        text = normalise(line.shown)
        day = _last(words.day, text) or day
        part = _last(words.part_of_day, text) or part
    return " ".join(each for each in (day, part) if each)


def _last(pattern: re.Pattern[str], text: str) -> str:
    found = list(pattern.finditer(text))
    return found[-1].group().strip() if found else ""


def _count(tokens: Tokens, name: str) -> int:
    return len(find_sequence(tokens.words, name_sequence(name)))


def _find_places(tokens: Tokens, words: StoryWords) -> Iterator[str]:
    """A word for places behind a preposition, with what stands between, and with the name behind it."""
    all_words = tokens.words
    for place, word in enumerate(all_words):
        if word.lexeme not in words.places:
            continue
        is_titled = place + 1 < len(all_words) and bool(_OPENING & set(all_words[place + 1].gap))
        follows = all_words[place + 1] if place + 1 < len(all_words) else None
        is_idafa = words is ARABIC and follows is not None and not follows.gap and follows.text.startswith("ال")
        first = _find_beginning(all_words, place, words)
        if first is None and not (is_titled or is_idafa):
            continue
        first, last = place if first is None else first, place
        while last + 1 < len(all_words) and last - place < MAX_AFTER and not all_words[last + 1].gap.strip('«“"„'):
            after = all_words[last + 1]
            if not (after.capital or (words is ARABIC and _may_follow(after, words))):
                break
            last += 1
        if is_titled and place in (last, last - 1, last - 2):
            yield _close_title(tokens, first, place)
        else:
            yield tokens.text[all_words[first].start : all_words[last].end]


def _may_follow(word: Token, words: StoryWords) -> bool:
    """Whether an Arabic word may belong to the name of a place: no function word, and none that `and` begins."""
    return word.lexeme not in words.functions and not word.text.startswith("و")


def _close_title(tokens: Tokens, first: int, place: int) -> str:
    """The phrase with the whole title behind it, its quotation marks included."""
    text = tokens.text[tokens.words[first].start : tokens.words[place].end + MAX_TITLE_LENGTH]
    closed = _CLOSING.search(text, tokens.words[place].end - tokens.words[first].start + 2)
    return text[: closed.end()] if closed else text[: tokens.words[place].end - tokens.words[first].start]


def _find_beginning(all_words: Sequence[Token], place: int, words: StoryWords) -> int | None:
    """Where the phrase of a place begins: behind its preposition, a few words before it at most."""
    for first in range(place, max(place - MAX_BEFORE - 1, -1), -1):
        if first < place and all_words[first + 1].gap:
            return None
        if first < place and all_words[first].lexeme in words.place_prepositions:
            begin = first + 1
            while begin < place and all_words[begin].text in _ARTICLES:
                begin += 1
            return begin
    return None


def _find_han_places(text: str) -> Iterator[str]:
    nouns = "|".join(sorted(CHINESE.places, key=len, reverse=True))
    verbs = "|".join(sorted(CHINESE.place_prepositions, key=len, reverse=True))
    for match in re.finditer(rf"(?:{verbs})了?([\u4e00-\u9fff]{{0,5}}?(?:{nouns}))", text):
        yield match.group(1).removeprefix("了")
    for match in re.finditer(rf"([\u4e00-\u9fff]{{2,4}}?(?:{nouns}))(?:里|中|内|外|的门|门口)", text):
        yield re.sub(rf"^.*(?:{verbs}|推开|打开|离开)", "", match.group(1))
