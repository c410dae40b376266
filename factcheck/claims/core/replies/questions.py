"""What the player asked: a reply often gives only the missing word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.texts import Text, follows_mark, read_text
from factcheck.core.tokens import Token, tokenize

ASKING_PARTICLES = frozenset({"ли", "разве", "неужели", "هل"})
_LAST = re.compile(r"[^.!。！\n]+[?？؟]|[^.!?。！？؟\n]+$")
INDEFINITE = frozenset({"нибудь", "либо"})
"""`Когда-нибудь` and `кто-нибудь` ask for no time and no name."""
ARABIC_WHAT = frozenset({"ما", "وما"})
"""It asks where it opens a question; elsewhere it denies."""
ARABIC_CALL, CALLED_WORDS = "يا", 3
"""Behind it stands who is spoken to; where no mark ends it (`يا غريب ما لون الباب`), one word."""
LONG_IDIOM = 3
"""`Отчего ж не …`: words enough to be no part of something else."""
AFTER_YES = frozenset({"you", "it", "she", "he", "they", "there", "we", "啊", "呀", "的", "了"})
COUNTED_WORDS = 3
PEOPLE = frozenset({"#people", "#member", "#soldier"})
"""What `Is it a big guild?` asks the number of."""


@dataclass(frozen=True, slots=True)
class Question:
    """The last thing that was asked."""

    text: Text
    asks: frozenset[str]
    """Of `number`, `when`, `who`, `which`, `yes`; with `measure` a number is one of several answers (`Is it far?`)."""
    counted: frozenset[str]
    """Keys of the thing that it asks the number of."""
    is_negated: bool
    is_of_speaker: bool
    """Whether it asks the one who answers of themselves, and not of a house or a company."""


def read_question(text: str, lexicon: Lexicon) -> Question:
    """What the player's words ask for; nothing where they ask nothing."""
    parts = [match[0] for match in _LAST.finditer(text) if match[0].strip()]
    asked = next((part for part in reversed(parts) if re.search(r"[?？؟]", part)), parts[-1] if parts else text)
    addressed = _list_addressed(tokenize(asked).words, lexicon)
    read = read_text(asked, lexicon, masked=addressed)
    words = read.words
    asking = _find_arabic_what(words, addressed, lexicon)
    asks = {name for name in ("number", "when", "who", "which") if lexicon.lists[f"ask_{name}"].is_in(words)}
    asks -= {name for name in asks & {"when", "who"} if any(word.text in INDEFINITE for word in words)}
    if asking:
        asks.add("which")
    if _asks_yes(read, lexicon, asks):
        asks = {"yes"}
    if not asks - {"yes"} and lexicon.lists["ask_measure"].is_in(words):
        asks |= {"number", "measure"}
    return Question(
        text=read,
        asks=frozenset(asks),
        counted=_list_counted(read, lexicon) if "number" in asks else frozenset(),
        is_of_speaker=lexicon.lists["asked_speaker"].is_in(words) and not lexicon.lists["asked_company"].is_in(words),
        is_negated=any(each.start not in asking for each in lexicon.find_negations(words))
        and "yes" not in _han_pairs(read, lexicon),
    )


def _list_addressed(words: Sequence[Token], lexicon: Lexicon) -> frozenset[int]:
    """The places of whom the question speaks to: nothing but address between marks, and what an Arabic `يا` calls."""
    spoken_to = lexicon.lists["address"].places(words)
    marks = [0, *(place for place in range(1, len(words)) if follows_mark(words[place])), len(words)]
    found: set[int] = set()
    for start, end in pairwise(marks):
        if len(marks) > 2 and spoken_to >= set(range(start, end)):
            found |= set(range(start, end))
        call = next((place for place in range(start, end) if words[place].text == ARABIC_CALL), end)
        last = end if end - call <= CALLED_WORDS else call + 2
        found |= set(range(call, last))
    return frozenset(found)


def _find_arabic_what(words: Sequence[Token], addressed: frozenset[int], lexicon: Lexicon) -> frozenset[int]:
    """The places of `ما` that opens the question, or what stands behind a mark or an address."""
    idle = lexicon.lists["undenied"].places(words)
    return frozenset(
        place
        for place, word in enumerate(words)
        if word.text in ARABIC_WHAT and place not in idle and (set(range(place)) <= addressed or follows_mark(word))
    )


def _asks_yes(read: Text, lexicon: Lexicon, asks: set[str]) -> bool:
    words = read.words
    if not words:
        return False
    found = lexicon.lists["ask_yes"].find(words)
    if any(words[each.start].kind == "han" for each in found):
        return True
    if any(words[each.start].text in ASKING_PARTICLES for each in found):
        return not asks & {"who", "when", "number"}
    return not asks and (words[0].kind != "han")


def _han_pairs(read: Text, lexicon: Lexicon) -> set[str]:
    """Chinese asks by `有没有`: its negation negates nothing."""
    return (
        {"yes"}
        if any(mark in read.tokens.text for mark in ("有没有", "能不能", "可不可以", "是不是", "会不会"))
        else set()
    )


def _list_counted(read: Text, lexicon: Lexicon) -> frozenset[str]:
    """The keys of the next words that say something, behind the asking word."""
    asking = lexicon.lists["ask_number"].find(read.words)
    if not asking:
        return read.all_keys() | (PEOPLE if lexicon.lists["ask_size"].is_in(read.words) else frozenset())
    found: set[str] = set()
    taken = 0
    for place in range(asking[0].end, len(read.words)):
        if read.keys[place]:
            found |= read.keys[place]
            taken += 1
        if taken == COUNTED_WORDS:
            break
    return frozenset(found)


def read_answer(text: Text, lexicon: Lexicon) -> bool | None:
    """Whether an answer opens with yes or with no; None where it opens with neither, or with both."""
    words = text.words
    yes = [each.end for each in lexicon.lists["yes"].find(words) if each.start == 0]
    no = [each.end for each in lexicon.lists["no"].find(words) if each.start == 0]
    if not yes and not no:
        return None
    if max(yes, default=0) == max(no, default=0):
        return None
    is_yes = max(yes, default=0) > max(no, default=0)
    end = max(yes if is_yes else no)
    if end == len(words) or words[end].gap or words[end].text in AFTER_YES or end >= LONG_IDIOM:
        return is_yes
    return None
