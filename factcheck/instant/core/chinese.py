"""Chinese as the other readers expect it: simplified, numerals in digits, a space between its words.

`我對花生過敏，預算五百塊` becomes `我 对 花生 过敏, 预算 500 块`, so that concepts, word lists and patterns, which
think in words, need to know nothing of a script without spaces. Words are cut by jieba's dictionary, to which the names
of things and the words of our lists are added. A text with kana is Japanese and is left alone.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from factcheck.instant.core.chinese_numbers import find_numbers
from factcheck.instant.core.concept_files import read_shipped_concepts
from factcheck.instant.core.words import list_texts
from memoryproject.lazy_modules import LazyModule

if TYPE_CHECKING:
    import opencc
    import rjieba
else:
    opencc = LazyModule("opencc")
    rjieba = LazyModule("rjieba")

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_CLAUSE_SPACE = re.compile(
    f"(?<=[{_HAN}]{{4}}) (?=[{_HAN}]{{2}})"
    "(?!(?:严重|重度|有点|特别|很|也|会|都)?(?:过敏|過敏|不耐)|不能|不吃|不行|不可以)"
)
"""Behind four characters a space ends a clause, but before what is said of a thing: 我对花生 过敏."""
_HAS_HAN = re.compile(f"[{_HAN}]")
_HAS_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HAN_RUN = re.compile(f"[{_HAN}〇]+")
_MARKS = str.maketrans({"。": ".", "、": ",", "｡": ".", "､": ","})
_SPACED_MARKS = frozenset(".,!?;:")
"""Marks behind which a space is put between Chinese words, as other languages write it; not inside `12:30` or `1.5`."""
_VERBS = frozenset("吃喝穿戴碰摸闻养买看怕提带送做办开参过有没去")
_NEGATED_VERBS = frozenset(
    ("吃", "喝", "穿", "戴", "碰", "怕", "爱", "看", "抽", "忌", "用", "摸", "恨", "嫌", "讨厌", "介意", "反对", "害怕",
     "喜欢", "接受", "排斥", "抗拒")
)  # fmt: skip
_OF_AUTHOR = frozenset(["我", "我们", "我的", "我自己", "我本人"])
"""Other words that begin so name whose they are: `我妈` is `我` and `妈`."""
_VERB_AND_THING = frozenset(
    ["喝酒", "吃肉", "吃鱼", "吃糖", "抽烟", "吸烟", "喝奶", "养猫", "养狗", "怕鬼", "怕蛇", "有鬼", "有蛇"]
)
_MIN_VERB_PHRASE = 2
_LOADING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, number, mark or gap of a text, and the range of the text that it stands for."""

    text: str
    start: int
    end: int


def is_chinese(text: str) -> bool:
    """Whether a text holds Chinese characters and is not Japanese."""
    return not text.isascii() and _HAS_HAN.search(text) is not None and _HAS_KANA.search(text) is None


def fold_chinese(text: str) -> str:
    """A normalised text with Chinese in it, as the readers want it; other texts as they are."""
    if not is_chinese(text):
        return text
    if text in _list_own_words():  # names and lists are folded at the start of every process: without the dictionary
        return " ".join(_split_verb(text))
    return "".join(piece.text for piece in _cut(_mark_clauses(text)))


def trace_chinese(text: str) -> list[int]:
    """For each character of the folded text the place in the normalised one that it came from, and its length."""
    origins: list[int] = []
    for piece in _cut(_mark_clauses(text)):
        is_same_length = len(piece.text) == piece.end - piece.start
        origins += [piece.start + (index if is_same_length else 0) for index in range(len(piece.text))]
    return [*origins, len(text)]


def _mark_clauses(text: str) -> str:
    """The text with commas for the spaces that stand for them: 猪肉现在可以了 之前是吃伤了."""
    return _CLAUSE_SPACE.sub(",", text)


def simplify(text: str) -> str:
    """Traditional characters as simplified ones, one for one; `著乾` as the common `著干`."""
    return text.translate(_load_simplified())


def allow_spaces(expression: str) -> str:
    """An expression over folded texts in which a space may stand between any two Chinese characters."""
    return re.sub(f"([{_HAN}])(?=[{_HAN}(])", r"\1 ?", expression)


def join_chinese(text: str) -> str:
    """A folded name without the spaces between its Chinese words: `螺蛳 粉` is `螺蛳粉`."""
    return re.sub(f"(?<=[{_HAN}]) +(?=[{_HAN}])", "", text)


def _cut(text: str) -> Iterator[Piece]:
    """The pieces of a text with the spaces between them."""
    is_own = all(run in _list_own_words() for run in _HAN_RUN.findall(text))
    simplified = text if is_own else simplify(text)
    pieces = list(_list_pieces(simplified.translate(_MARKS)))
    for piece, following in pairwise([*pieces, Piece("", len(text), len(text))]):
        yield piece
        if following.text and _needs_space(piece.text, following.text):
            yield Piece(" ", piece.end, piece.end)


def _needs_space(left: str, right: str) -> bool:
    if not right[0].isalnum() and right[0] not in "$€£¥₽₹":
        return False
    return left[-1].isalnum() or left[-1] in _SPACED_MARKS


def _list_pieces(text: str) -> Iterator[Piece]:
    place = 0
    for number in find_numbers(text):
        yield from _list_words(text, place, number.start)
        yield Piece(number.digits, number.start, number.end)
        place = number.end
    yield from _list_words(text, place, len(text))


def _list_words(text: str, start: int, end: int) -> Iterator[Piece]:
    place = start
    for run in _HAN_RUN.finditer(text, start, end):
        if run.start() > place:
            yield from _split_mark(text, place, run.start())
        place = run.start()
        for word in _cut_run(run[0]):
            for part in _split_verb(word):
                yield Piece(part, place, place + len(part))
                place += len(part)
    if place < end:
        yield from _split_mark(text, place, end)


def _cut_run(run: str) -> list[str]:
    """The words of Chinese characters; one of our own words needs no dictionary."""
    return [run] if len(run) == 1 or run in _list_own_words() else _load_dictionary()(run)


def _split_mark(text: str, start: int, end: int) -> Iterator[Piece]:
    """What stands between Chinese words, with the mark that ends the words before it apart: `预算:` and `500`."""
    if start and end - start > 1 and text[start] in _SPACED_MARKS and _HAS_HAN.match(text[start - 1]):
        yield Piece(text[start], start, start + 1)
        start += 1
    yield Piece(text[start:end], start, end)


def _split_verb(word: str) -> tuple[str, ...]:
    """A word of the dictionary that is a verb and the name of a thing, or a negated verb, as two: `吃螃蟹`, `不怕`."""
    own = _list_own_words()
    if word[0] == "不" and word[1:] in _NEGATED_VERBS:
        return word[0], word[1:]
    if word[0] == "我" and word not in _OF_AUTHOR:
        size = 2 if word.startswith("我的") else 1
        return word[:size], word[size:]
    if word in _VERB_AND_THING and word not in own:
        return word[0], word[1]
    if len(word) > _MIN_VERB_PHRASE and word not in own and word[0] in _VERBS and word[1:] in own:
        return word[0], word[1:]
    return (word,)


def _load_simplified() -> dict[int, str]:
    with _LOADING:
        return _build_simplified()


@cache
def _build_simplified() -> dict[int, str]:
    """OpenCC's table of characters: 3,700 of the 27,500 of the basic plane have a simplified form (30 ms, once)."""
    characters = [chr(point) for point in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000))]
    simplified = opencc.OpenCC("t2s").convert("\n".join(characters)).split("\n")
    return {ord(old): new for old, new in zip(characters, simplified, strict=True) if old != new}


def _load_dictionary() -> Callable[[str], list[str]]:
    with _LOADING:
        return _build_dictionary()


@cache
def _build_dictionary() -> Callable[[str], list[str]]:
    """What cuts by jieba's dictionary (33 MB, 0.5 s, once in a process that reads Chinese) with our words."""
    own = (word for word in _list_own_words() if len(word) > 1)
    for word in sorted(own, key=lambda word: (len(word), word)):
        rjieba.add_word(word, None, None)
    return partial(rjieba.cut, hmm=False)


@cache
def _list_own_words() -> frozenset[str]:
    """Chinese names of things, and the Chinese words of the lists; of a mixed one the Chinese parts."""
    names = [name for concept in read_shipped_concepts() for name in concept.names.get("zh", ())]
    words = [*names, *(word for text in list_texts() for word in text.split())]
    runs = {run for word in words for run in _HAN_RUN.findall(word)}
    owned = {run.removeprefix("我").removeprefix("的") for run in runs if run[0] == "我"} - {""}
    return frozenset(runs | owned)
