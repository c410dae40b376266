"""What a player asks to forget by its name: "can you delete my ring size", «забудь про мой бюджет», 把我的体重忘掉.

What protects a person is never forgotten so: it ends on a denial alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clauses import split_sentences
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.denial_clauses import is_own
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.money import read_bare_amount
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.takeback_words import TakebackWords
from factcheck.instant.core.takebacks import Found
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, PROTECTED_TYPES, WISH_TYPES

MAX_NAME_LENGTH = 80
"""Characters that may name what is to be forgotten."""
_NEGATED = re.compile(r"(?<!\w)(?:не|لا|ما|la|ma|no|别|不要|没)\s+$")
"""Right before the verb, with no mark between: «не забудь», but "no, forget …"."""
_BUDGET = re.compile(r"(?<!\w)budget(?!\w)|бюджет[аеу]?(?!\w)|ميزاني|m[ie]z[ae]n[iey]|预算")
_SIZE = re.compile(r"(?<!\w)sizes?(?!\w)|размер|مقاس|قياس|ma2as|2yas|尺码|尺寸")
_SIZES = re.compile(r"(?<!\w)(?:sizes|measurements)(?!\w)|(?<!\w)(?:размеры|мерки|параметры)(?!\w)|مقاساتي|قياساتي")
"""Every size and measure but height and weight, where they are called the player's own."""
_FORBIDS = re.compile(
    r"(?:never|don'?t|do not|no|not|stop|не|никогда|хватит|لا|ما|بلاش|بطل|la|ma|balash)(?!\w)|别|不|永远 ?(?:不|别)"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_NAME = re.compile(
    r"(?<!\w)(?:nick)?name(?!\w)|(?<!\w)(?:имя|кличк\w*|прозвищ\w*)(?!\w)|(?<!\w)(?:اسمي|esmi)|名字|称呼"
)
"""What stands for the only budget, the only size, or how the player is called."""
_CLEARS = frozenset({"clear", "wipe", "remove", "убери", "убрать", "去掉", "scratch", "scrap", "discard", "disregard"})
"""Not said of a name that is to be forgotten: "clear my name!"."""
_TELLS = re.compile(r"ت|t[aei]")
"""A verb in the second person, in Arabic: an order only behind "can you"; else it tells or asks, «تنسى اسمي؟»."""
_WEIGHED = frozenset({"weight_kg", "weight_lb"})
"""One measure in two units."""
_WITHOUT_SIZE = frozenset({"height_cm", *_WEIGHED})
_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_ENDING = re.compile(r"(?:ت?(?:ي|نا)|(?<=ميزاني)ه|[iyeta]{1,4}(?:na)?|s|[а-я]{1,3})(?!\w)")
_ARTICLE = re.compile(r"و?ال|[وبل]|(?:w )?(?:el|al|il|l)[ -]?")
_AMOUNT = re.compile(r"\W*(?:(?:the|my|that|про|эти|те|ال)\s*)?(?P<sum>\d+(?:[.,]\d+)? ?(?:k|к|тыс\w*|الف|alf))\W*")
_FORGETS = re.compile(r"forget|забудь|забыть|[ات]?نس|[ie]?2?[ie]?n[sS]|忘|$")
"""Verbs that stand in a turn of speech, too; "delete my weight" is none. Chinese ones stand behind the name."""
_DELETES = re.compile(r"delete|erase|сотри|удали|[ات]?(?:مسح|حذف|محي)|[iet]*ms[ea]?[7h]|[iet]*7[dtz]")
"""Verbs that do away with a word about an event: "forget the wedding thing" and "get rid of the wedding stuff" may be
of the wedding.
"""
_TOLD_BY = re.compile("[他她让叫说]")
_TAKING = re.compile("把")
"""Where an order begins in Chinese, whatever is said before it."""
_GOODS = re.compile(
    r"(?<!\w)(?:cart|basket|order|wish ?list|sneakers|jacket|dress|корзин\w*|заказ\w*|سله|السله|طلب|sallah?)(?!\w)"
    r"|size \d|размер\w* \d|مقاس \d|购物车|订单"
)
"""What is bought is no fact: "remove the shoes in size 42 from my cart"."""


def find_named_forgotten(
    message: FoldedMessage, spoken: AuthorSpans, facts: Sequence[KnownFact], concepts: ConceptTable,
    words: TakebackWords,
) -> list[Found]:  # fmt: skip
    """The facts that a clause asks to forget by their names, or by that of their kind where it is of one fact alone."""
    open_ = [fact for fact in facts if fact.type not in PROTECTED_TYPES]
    found: dict[int, Found] = {}
    for (start, end), is_question in _list_clauses(message.text) if open_ else ():
        asked = words.forget_named.match(message.text, start, end)
        if asked is None or _NEGATED.search(asked["lead"]):
            continue
        if not words.forget_ask.search(asked["lead"]) and (is_question or _TELLS.match(asked["verb"] or "")):
            continue
        place = asked.span(next((name for name in ("before", "before_ru", "before_ar") if asked[name]), "behind"))
        is_told = words.forget_told.search(message.text, *place) is not None
        may_be_idiom = not is_told and _FORGETS.match(asked["verb"] or "") is not None
        is_idiom = may_be_idiom and words.forget_then.search(message.text, place[1], end) is not None
        last = asked.end() if _TAKING.search(message.text, start, end) or asked["before"] else end
        if words.forget_for_now.search(message.text, start, last):
            continue
        if is_idiom or words.forget_except.search(message.text, start, end):
            continue
        if place[1] - place[0] <= MAX_NAME_LENGTH and is_own(message, spoken, start, end):
            named = _Named(message.text[slice(*place)], asked["verb"] or "", words, concepts)
            for fact in named.list_facts(open_):
                found.setdefault(fact.id, Found(fact, start, place[1], is_named=True))
    return list(found.values())


def _list_clauses(text: str) -> Iterator[tuple[Span, bool]]:
    """Each sentence from the beginning of each of its clauses on, and whether it asks."""
    for sentence in split_sentences(text):
        for start, _ in sentence.clauses:
            yield (start, sentence.end), sentence.is_question
        for match in _TAKING.finditer(text, sentence.start + 1, sentence.end):
            if not _TOLD_BY.search(text, sentence.start, match.start()):
                yield (match.start(), sentence.end), sentence.is_question


class _Named:
    """What is to be forgotten, in the words of its author."""

    def __init__(self, said: str, verb: str, words: TakebackWords, concepts: ConceptTable) -> None:
        self._said, self._verb, self._words, self._concepts = said, verb, words, concepts
        self._labels = list_labels(said, (0, len(said)))
        self._told = [match.span() for match in words.forget_told.finditer(said)]
        self._is_free = bool(self._told) and not load_lexicon().has_guard("others", said)
        self._is_own = bool(self._told) or words.forget_own.search(said) is not None
        self._is_thing = words.forget_thing.search(said) is not None
        self._stemmed = stem_text(said)

    def list_facts(self, facts: Sequence[KnownFact]) -> Iterator[KnownFact]:
        if _GOODS.search(self._said):
            return
        for fact in facts:
            places = self._list_places(fact, [other for other in facts if other.type == fact.type])
            is_free = self._is_free and fact.type in WISH_TYPES  # "that I asked you to write in English"
            is_named = bool(places) and (is_free or self._names_nothing_else(places))
            if is_named or (fact.type in NUMBER_TYPES and _names_value(self._said, fact)):
                yield fact

    def _list_places(self, fact: KnownFact, alike: Sequence[KnownFact]) -> list[Span]:
        """Where a fact is named; a budget and a size by their kind where they are the only ones."""
        if fact.type == "body_params":
            keys = _WEIGHED if fact.key in _WEIGHED else {fact.key}
            labels = [(label.start, label.end) for label in self._labels if label.key in keys]
            sizes = [other for other in alike if "size" in other.key] or alike
            all_sizes = self._find(_SIZES) if self._is_own and fact.key not in _WITHOUT_SIZE else []
            only_size = self._find(_SIZE) if sizes == [fact] and not self._labels else []
            return labels or all_sizes or only_size
        if fact.type == "budget":
            return self._find(_BUDGET) if len(alike) == 1 else []
        is_plain = fact.type in WISH_TYPES or _DELETES.match(self._verb) is not None
        is_meant = self._is_own or (self._is_thing and is_plain)
        if not is_meant or fact.type not in (*WISH_TYPES, LIFE_EVENT):
            return []
        if fact.key == "name":
            named = self._find(_NAME) if self._verb not in _CLEARS else []
            fact = replace(fact, key="")  # the word "name" may be of anything
            return [*named, *find_mentions(self._stemmed, fact, self._concepts)]
        found = find_mentions(self._stemmed, fact, self._concepts)
        return found or (self._find_subject_of(fact) if self._is_thing and fact.type in WISH_TYPES else [])

    def _find_subject_of(self, fact: KnownFact) -> list[Span]:
        """The last word of a wish, right beside what makes a thing of it: "the pirate thing" is "talk like a pirate".

        None of a wish that forbids: "never mention the death of my ex" may protect.
        """
        last = fold(fact.value).split()[-1:] if _HAN.search(fact.value) else fact.key.split("_")[-1:]
        if _FORBIDS.match(fold(fact.value)) or not last or not last[0]:
            return []
        word, thing = re.escape(last[0]), self._words.forget_thing.pattern
        beside = re.compile(
            rf"(?<![a-z])(?P<word>{word})\s?(?:{thing})|(?:{thing})\s?(?:ال|el |l )?(?P<behind>{word})(?![a-z])"
        )
        return [found.span("word" if found["word"] else "behind") for found in beside.finditer(self._said)]

    def _find(self, name: re.Pattern[str]) -> list[Span]:
        return [match.span() for match in name.finditer(self._said)]

    def _names_nothing_else(self, places: Sequence[Span]) -> bool:
        """Whether every other word only stands around: "my weight", but not "my weight loss" or "his weight"."""
        named = [*places, *((label.start, label.end) for label in self._labels)]
        named += [*(self._find(_SIZE) if self._labels else []), *self._told]
        around = self._words.forget_with
        place = 0
        while place < len(self._said):
            inside = next((span for span in named if span[0] <= place < span[1]), None)
            word = _WORD.match(self._said, place)
            if inside is not None:
                ending = _ENDING.match(self._said, inside[1])
                place = ending.end() if ending else inside[1]
            elif word is None:
                place += 1
            else:
                phrase = around.match(self._said, place)
                if phrase is None:
                    phrase = _ARTICLE.match(self._said, place)
                    if phrase is None or not any(span[0] == phrase.end() for span in named):
                        return False
                place = phrase.end()
        return True


def _names_value(said: str, fact: KnownFact) -> bool:
    """Whether the figure of a size or a sum is said: "forget the 500", «про 5 тысяч»."""
    figure = re.search(r"\d+(?:\.\d+)?", fact.value)
    if figure is None:
        return False
    if re.fullmatch(rf"\W*(?:(?:the|my|that|про|эти|те) )?{re.escape(figure[0])}\W*", said):
        return True
    amount = _AMOUNT.fullmatch(said)
    return fact.type == "budget" and amount is not None and read_bare_amount(amount["sum"]) == figure[0]
