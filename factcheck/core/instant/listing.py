"""Several values after one phrase: "to nuts, milk and honey", "на орехи и на мёд", "جلد ولا صوف"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from factcheck.core.instant.concepts import LONGEST_NAME_WORDS, ConceptTable, make_key
from factcheck.core.instant.messages import fold

_TOKEN = re.compile(r"[^\W_][\w'‑-]*|[^\w\s]|\n")
_LONGEST_LIST = 300
_MOST_VALUES = 12
_LONGEST_PHRASE_WORDS = 4
_HARD_STOPS = frozenset('.!?؟;؛\n()[]{}<>…—–|:*"«»“”')
_LEADS = frozenset(":=—–-")
_COMMAS = frozenset(",،/+&")


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


_CONJUNCTIONS = _words("and or nor и или либо ни да و او ولا او وال w wa wla wala aw ou plus плюс also")
_SKIPPED = _words(
    """a an the any all my some every kind kinds sort sorts type types of to both either each other
    на от к в с любой любую любые любых любое всякие всяких всякую все всех весь всю какие-либо каких-либо какие-нибудь
    сцен сцены scenes scene вообще также еще тоже even
    من ال اي كل el al il il- min mn ay ayy kol kul any"""
)
_CLAUSE_OPENERS = _words("my our")
_TAIL = _words(
    """so but because cause coz cuz since as if when while which that who whose where then than please pls plz thanks
    thank btw anyway though although too very really badly severely ever again anymore at in on for with without from
    is are am was were be it its it's this these those i i'm im i've ive my me we our you your he she they do does don't
    dont not no yes ok okay just only either especially mostly in general lol haha guys sorry unfortunately also only
    mate bro dude man actually seriously today tonight now kind by of stuff things products allergy allergies etc
    но а поэтому потому так что чтобы если когда который которая которые которых где пожалуйста плиз пж спасибо кстати
    тоже очень сильно сильная
    сильнейшая страшная жуткая дикая с со в во у от до из за для при по без я мне меня мой моя мы
    нам     это этот эта эти оно он она они ты тебе вы вам не нет да ок вообще совсем больше никогда учти учтите имей
    имейте помни запомни обязательно просто именно особенно например ладно даже еще уже тут здесь там сорян увы
    причем правда хотя ибо же ли бы аллергия и
    بس لكن لان لاني عشان علشان يعني لو اذا الي اللي من في على مع انا انت لي جدا مره وايد كثير شديده قويه قوي
    شكرا فضلك سمحت لو رجاء ارجوك كمان ايضا بعد ابدا نهائيا خالص طبعا ترى ترا هذا هذي والله حاليا فلا فلازم
    bs lakin 3ashan 3shan 7ail ya3ni y3ni law 2na ana wallah wallahi shukran plz kman kaman 5alas abadan jdn jiddan tara
    wayed marra mara shway shwaya يا ya walla"""
)
_VAGUE = _words(
    """it this that these those them him her us me you everything anything something nothing stuff things thing one
    ones such what which more less other others people anyone someone another much many way time
    yourself myself himself friend friends money help hand hands
    себя себе другу друзьям людям руку руки помощь деньги نفسك نفسي فلوس
    это этого этому этим то того такое такого такие таких что что-то чего-то ничего все всего его ее их меня тебя
    нас вас них ему ей им больше меньше еще такую другое другие другого так
    هذا هذه هذي ذلك شي شيء حاجه كذا هيك هذول اياه
    hatha hada shi 7aga shay"""
)


@dataclass(frozen=True, slots=True)
class ListedValue:
    """One value of a list: its key, how it is written, and where it stands in the folded text."""

    key: str
    value: str
    start: int
    end: int
    is_known: bool


def read_list(
    text: str,
    start: int,
    table: ConceptTable,
    use: str,
    *,
    end: int | None = None,
    phrases: bool = False,
    closed: bool = False,
) -> list[ListedValue]:
    """The values that a phrase introduces, read from `start`.

    A value is a known concept, or with `phrases` up to four words. It must be followed by an end: punctuation, a
    conjunction, another value, or a word that cannot belong to it. With `closed`, the list must end its clause.
    """
    limit = min(len(text), start + _LONGEST_LIST) if end is None else end
    tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text, start, limit)]
    values: list[ListedValue] = []
    place, after_comma, after_conjunction = _skip_lead(tokens), False, False
    while place < len(tokens) and len(values) < _MOST_VALUES:
        if values and place < len(tokens) and tokens[place][0] in _CLAUSE_OPENERS:
            break
        place = _skip(tokens, place)
        allows_phrase = phrases and (not values or (after_conjunction and not values[-1].is_known))
        taken = _take(tokens, place, text, table, use, allows_phrase=allows_phrase)
        if taken is None:
            break
        value, place = taken
        values.append(value)
        mark = tokens[place][0] if place < len(tokens) else ""
        after_comma, after_conjunction = mark in _COMMAS, mark in _CONJUNCTIONS
        while place < len(tokens) and (tokens[place][0] in _COMMAS or tokens[place][0] in _CONJUNCTIONS):
            after_conjunction = after_conjunction or tokens[place][0] in _CONJUNCTIONS
            place += 1
        if not (after_comma or after_conjunction) and not _joins(tokens, place):
            break
    if closed and values and not _ends_clause(tokens, values[-1].end):
        return []
    return values


def _take(
    tokens: list[tuple[str, int, int]], place: int, text: str, table: ConceptTable, use: str, *, allows_phrase: bool
) -> tuple[ListedValue, int] | None:
    """The value at a place and the place after it: a concept that ends there, else a phrase where one is allowed."""
    taken = _take_concept(tokens, place, table, use)
    if taken is not None and _is_closed(tokens, taken[1]):
        return taken
    taken = _take_phrase(tokens, place, text) if allows_phrase else None
    return taken if taken is not None and _is_closed(tokens, taken[1]) else None


def _skip_lead(tokens: list[tuple[str, int, int]]) -> int:
    """The place after a colon or a dash that introduces the list."""
    place = 0
    while place < len(tokens) and tokens[place][0] in _LEADS:
        place += 1
    return place


def _skip(tokens: list[tuple[str, int, int]], place: int) -> int:
    while place < len(tokens) and tokens[place][0] in _SKIPPED:
        place += 1
    return place


def _take_concept(
    tokens: list[tuple[str, int, int]], place: int, table: ConceptTable, use: str
) -> tuple[ListedValue, int] | None:
    words = []
    for word, _, _ in tokens[place : place + LONGEST_NAME_WORDS]:
        if word in _HARD_STOPS or word in _COMMAS:
            break
        words.append(word)
    found = table.find_prefix(words, use)
    if found is None:
        return None
    concept, count = found
    last = place + count
    return ListedValue(concept.key, concept.label, tokens[place][1], tokens[last - 1][2], is_known=True), last


def _take_phrase(tokens: list[tuple[str, int, int]], place: int, text: str) -> tuple[ListedValue, int] | None:
    last = place
    while last < len(tokens) and last - place < _LONGEST_PHRASE_WORDS + 1:
        word = tokens[last][0]
        if word in _HARD_STOPS or word in _COMMAS or word in _CONJUNCTIONS or word in _TAIL:
            break
        last += 1
    words = [word for word, _, _ in tokens[place:last]]
    if not words or len(words) > _LONGEST_PHRASE_WORDS or any(word in _VAGUE for word in words):
        return None
    start, end = tokens[place][1], tokens[last - 1][2]
    key = make_key(text[start:end])
    return (ListedValue(key, " ".join(words), start, end, is_known=False), last) if key else None


def _is_closed(tokens: list[tuple[str, int, int]], place: int) -> bool:
    if place >= len(tokens):
        return True
    word = tokens[place][0]
    if not word[0].isalnum() or word in _CONJUNCTIONS or word in _TAIL:
        return True
    return _joins(tokens, place)


def _joins(tokens: list[tuple[str, int, int]], place: int) -> bool:
    """Whether the next word begins with a joined Arabic `و` (and)."""
    return place < len(tokens) and len(tokens[place][0]) >= 4 and tokens[place][0].startswith("و")


def _ends_clause(tokens: list[tuple[str, int, int]], end: int) -> bool:
    rest = [word for word, start, _ in tokens if start >= end]
    return not rest or not rest[0][0].isalnum() or rest[0] in _TAIL
