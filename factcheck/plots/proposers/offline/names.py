"""Who and what is named in a chunk: names of the world, capitalised runs, and what stands where names stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from episodes.events.core.plot import CHARACTER, ITEM, PLACE, UNKNOWN, Entity
from factcheck.core.tokens import Token, Tokens, name_sequence
from factcheck.plots.core.chunk import Chunk, ChunkIndex
from factcheck.plots.proposers.offline.words import CHINESE, StoryWords
from memoryproject.lazy_modules import LazyModule

if TYPE_CHECKING:
    import rjieba
else:
    rjieba = LazyModule("rjieba")

MAX_NAMES = 20
TAGGED = "tagged"
"""What only the tagger takes for a person: it is one where it is said twice."""
MAX_RUN = 4
_SENTENCE_MARKS = frozenset('.!?…:؟。！？："«“„—–*_-([')
_CONNECTORS = frozenset({"of", "the", "de", "von", "van", "al", "el", "bin", "ibn"})
_HAN_TITLED = re.compile(
    r"(?:(?:老|小|阿)(?![时心子人家是说话事]|[\u4e00-\u9fff][\u4e00-\u9fff]?·)[\u4e00-\u9fff]"
    r"|[\u4e00-\u9fff]{1,2}(?:先生|小姐|姑娘|夫人|公子|大人|殿下|公主|王子|将军|船长|师父|师兄|师姐|师弟|师妹|道长))"
)
_HAN_NAMED = re.compile(
    r"(?:名叫|叫做|叫作|名为|我叫|他叫|她叫)([\u4e00-\u9fff·]{2,4}?)(?=[，。！？、；：的和与在\s“”「」]|$)"
)
_HAN_QUOTED = re.compile(r"[「『《【]([\u4e00-\u9fffA-Za-z0-9·]{2,10})[」』》】]")
_HAN_TIME = re.compile("[时天日夜晨晚月年岁分秒]$")
_ARABIC = re.compile("[\u0620-\u064a]")


@dataclass
class _Found:
    """The spellings of one name and what speaks for its type."""

    spellings: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)


def find_entities(chunk: Chunk, index: ChunkIndex, words: StoryWords) -> list[Entity]:
    """The names of a chunk, those said most first; what the world knows comes before what only looks like a name."""
    found: dict[tuple[str, ...], _Found] = {}
    known = list(_find_known(chunk, index))
    for name, type_ in known:
        _note(found, name, type_, weight=10)
    taken = {word for name, _ in known for word in name.split()}
    counts = Counter(word.lexeme for _, tokens in index.lines for word in tokens.words)
    lower = frozenset(
        word.lexeme for _, tokens in index.lines for word in tokens.words if word.kind == "word" and not word.capital
    )
    for line, (_, tokens) in zip(chunk.lines, index.lines, strict=True):
        for run in _find_runs(tokens, words, counts, lower):
            _note(found, tokens.text[run[0].start : run[-1].end], _guess_type(tokens, run, words))
        for name, type_ in (*_find_han(line.shown), *_find_arabic(tokens, words)):
            _note(found, name, type_)
    found = {key: each for key, each in found.items() if set(each.types) != {TAGGED} or each.types[TAGGED] > 1}
    ranked = sorted(found.items(), key=lambda each: -sum(each[1].spellings.values()))
    entities = [
        Entity(_choose_spelling(each.spellings), _choose_type(each.types))
        for _, each in ranked
        if index.find(_choose_spelling(each.spellings)) is not None
    ]
    return _drop_parts([each for each in entities if each.name not in taken or (each.name, each.type) in known])[
        :MAX_NAMES
    ]


def _find_known(chunk: Chunk, index: ChunkIndex) -> Iterator[tuple[str, str]]:
    for known in chunk.known:
        for name in known.names:
            if index.find(name) is not None:
                yield name, known.type
                break


def _note(found: dict[tuple[str, ...], _Found], name: str, type_: str, *, weight: int = 1) -> None:
    key = name_sequence(name)
    if key:
        each = found.setdefault(key, _Found())
        each.spellings[name] += weight
        each.types[type_] += weight


def _find_runs(
    tokens: Tokens, words: StoryWords, counts: Counter[str], lower: frozenset[str]
) -> Iterator[Sequence[Token]]:
    """Capitalised words in a row; the first of a sentence only where it is a name elsewhere, or said twice."""
    place, all_words = 0, tokens.words
    while place < len(all_words):
        end = place
        while end < len(all_words) and end - place < MAX_RUN and _continues(all_words, place, end):
            end += 1
        run = list(all_words[place:end])
        while run and not run[-1].capital:
            run.pop()
        opens = not place or bool(_SENTENCE_MARKS & set(all_words[place].gap))
        while run and (run[0].lexeme in words.functions or (run[0].lexeme in words.naming and len(run) > 1)):
            run, opens = run[1:], False
        if run and run[0].capital and _is_name(run, counts, lower, words, opens=opens):
            yield run
        place = max(end, place + 1)


def _continues(words: Sequence[Token], first: int, place: int) -> bool:
    word = words[place]
    if place > first and word.gap.strip("'’"):
        return False
    if word.kind != "word":
        return False
    return word.capital or (place > first and word.text in _CONNECTORS)


def _is_name(
    run: Sequence[Token], counts: Counter[str], lower: frozenset[str], words: StoryWords, *, opens: bool
) -> bool:
    if len(run) == 1:
        word = run[0]
        if len(word.text) < 2 or word.lexeme in words.functions or word.lexeme in lower:
            return False
        return not opens or counts[word.lexeme] >= 2
    return not all(word.lexeme in lower or word.lexeme in words.functions for word in run)


def _guess_type(tokens: Tokens, run: Sequence[Token], words: StoryWords) -> str:
    """Somebody beside a verb of speech or a title; a place behind `in` or beside a word for one."""
    all_words = tokens.words
    first, last = all_words.index(run[0]), all_words.index(run[-1])
    before = all_words[first - 1] if first else None
    after = all_words[last + 1] if last + 1 < len(all_words) else None
    inside = {word.lexeme for word in run}
    if inside & words.places or (before is not None and before.lexeme in words.places):
        return PLACE
    beside = {word.lexeme for word in (before, after) if word is not None}
    if beside & words.speech or (before is not None and before.lexeme in words.naming):
        return CHARACTER
    if (
        before is not None
        and before.lexeme in words.place_prepositions
        and before.text in ("in", "at", "в", "во", "на")
    ):
        return PLACE
    return UNKNOWN


def _find_han(text: str) -> Iterator[tuple[str, str]]:
    """Names of Chinese: by title, by `called`, in quotation marks, and what the dictionary's tagger takes for one."""
    if not re.search("[\u4e00-\u9fff]", text):
        return
    for match in _HAN_TITLED.finditer(text):
        yield match.group(), CHARACTER
    for match in _HAN_NAMED.finditer(text):
        yield match.group(1), CHARACTER
    for match in _HAN_QUOTED.finditer(text):
        yield match.group(1), ITEM
    for word, tag in rjieba.tag(text[:4000], hmm=True):
        if len(word) < 2 or word in CHINESE.functions or _HAN_TIME.search(word):
            continue
        if tag in ("nr", "nrt", "nrfg"):
            yield word, TAGGED
        elif tag in ("ns", "nt", "nz"):
            yield word, PLACE if tag == "ns" else UNKNOWN


def _find_arabic(tokens: Tokens, words: StoryWords) -> Iterator[tuple[str, str]]:
    """Names of Arabic, which has no capitals: behind a form of address, a title or a verb of speech."""
    all_words = tokens.words
    for before, word in pairwise(all_words):
        if not _ARABIC.search(word.text) or word.gap or len(word.text) < 3 or word.lexeme in words.functions:
            continue
        is_called = before.lexeme in words.naming and word.lexeme not in words.naming | words.places | words.speech
        speaks = before.lexeme in words.speech and not word.text.startswith("ال") and word.lexeme not in words.naming
        if is_called or speaks:
            yield tokens.text[word.start : word.end], CHARACTER


def _choose_spelling(spellings: Counter[str]) -> str:
    """The one said most; of equals the shortest, which is most often the nominative."""
    best = max(spellings.values())
    return min((each for each, count in spellings.items() if count == best), key=lambda each: (len(each), each))


def _choose_type(types: Counter[str]) -> str:
    told = {CHARACTER if each == TAGGED else each: count for each, count in types.items() if each != UNKNOWN}
    return max(told, key=lambda each: (told[each], each)) if told else UNKNOWN


def _drop_parts(entities: Sequence[Entity]) -> list[Entity]:
    """Without names that are a part of a longer one: `Tavern` beside `Moon Tavern`."""
    kept = []
    for entity in entities:
        longer = (other.name for other in entities if other.name != entity.name and len(other.name) > len(entity.name))
        is_whole = entity.type == CHARACTER and not re.match("[\u4e00-\u9fff]", entity.name)
        if is_whole or not any(entity.name in name for name in longer):
            kept.append(entity)
    return kept
