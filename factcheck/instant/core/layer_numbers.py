"""Whether a message that layers take to end a number, a size or a sum, is about that number."""

from __future__ import annotations

import re

from factcheck.instant.core.concepts import EVENT_USE, ConceptTable
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.money import read_money
from factcheck.instant.core.new_values import names_sum
from factcheck.instant.core.questions import speaks_of_spending
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.core.value_lists import list_mentions
from knowledge.facts.core.types import NUMBER_TYPES

MAX_WORDS_WITHOUT_NAME = 4
"""Of a message that ends the number that was named right before: "scrap that one"."""
_WORD = re.compile(r"[^\W_][\w'-]*")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_TOLD_NUMBER = re.compile(
    r"(?<!\w)(?:the|that|эту|ту) (?:number|amount|figure|sum|цифр\w+|сумм\w+)(?: that|,? которую)?"
    r" (?:i|i've|я) (?:gave|told|said|mentioned|wrote|назвал|назвала|сказал|сказала|дал|дала)"
    r"(?!(?: you| тебе| вам)? (?:for|of|to|для|на)(?!\w))(?!\w)"
    r"|(?<!\w)المبلغ (?:اللي|الي|الذي) (?:قلت|ا?عطيت|ذكرت|حكيت)\w*(?!\w)(?! (?:حق|لل))"
    r"|(?<!\w)(?:el|il|l) ?mabla[g8]h? (?:[ei]?l+i|ely) (?:2olt|gelt|3atet|9olt|golt)\w*"
)
"""A sum that its author told, named as a number, for nothing in particular: "forget the number I gave you"."""
_HEIGHT_AND_WEIGHT = re.compile(r"(?:(?<!的)(?<!的 )|(?<=我的)|(?<=我的 )|(?<=说 的 )|(?<=说的 ))身高体重")
"""One word for two measures, of no other person."""
_NOT_TO_KEEP = re.compile(r"stor|keep|sav|rememb|храни|запомин|учитыв|(?<!忘)记")
"""In an order not to keep something, which is no turn of speech: 金额你别记了."""
_BEHIND = re.compile(r"[,،;][^\n]*\w")
_ABOUT = re.compile(r"\w(?:[\w'-]*\W+){1,4}(?:about|про|о|об|عن|3an)(?!\w)|[^ ] ?关于")
"""What is to be forgotten is something else about a fact."""


def names_number(text: str, fact: KnownFact, concepts: ConceptTable, *, is_referred: bool) -> bool:
    """Whether a folded text says a number's name or value, money for a sum, or but a few words right behind these:
    "changed my mind about the perfume" is of no size, whatever layers read.

    `is_referred`: the author or the assistant named the number right before.
    """
    if is_referred and len(_WORD.findall(text)) <= MAX_WORDS_WITHOUT_NAME:
        return True
    if fact.value.split(" ")[0] in (each.replace(",", "") for each in _DIGITS.findall(text)):
        return True
    if fact.type == "budget":
        is_sum = _TOLD_NUMBER.search(text) is not None or read_money(text) is not None
        return is_sum or speaks_of_spending(text) or names_sum(text)
    return _names_measure(text, fact, concepts)


def _names_measure(text: str, fact: KnownFact, concepts: ConceptTable) -> bool:
    """Whether a text names a measure, or no other one: sizes have many names, and what is said of an event is of none
    ("the graduation is off").
    """
    named = {label.key.split("_")[0] for label in list_labels(text, (0, len(text)))}
    if _HEIGHT_AND_WEIGHT.search(text):
        named |= {"height", "weight"}
    kind = fact.key.split("_")[0]
    if kind in named or find_mentions(stem_text(text), fact, concepts):
        return True
    return kind == "size" and not named and not list_mentions(text, 0, len(text), concepts, EVENT_USE)


def may_be_idiom(message: FoldedMessage, fact: KnownFact) -> bool:
    """Whether a number is to be forgotten by words that rules left alone: "forget my weight, eat" is no order; one with
    two verbs, or about what was told, is.
    """
    words, text = load_takeback_words(), message.text
    found = words.forget_verb.search(text) if fact.type in NUMBER_TYPES else None
    if found is None:
        return False
    if _ABOUT.search(text, found.end()) or words.forget_except.search(text, found.end()):
        return True  # "delete the joke about my weight"
    if _NOT_TO_KEEP.search(found[0]):
        return False
    behind = _BEHIND.search(text, found.end())
    first, _ = message.sentence(*found.span())
    told = words.forget_told.search(text, first, behind.start() if behind else len(text))
    return behind is not None and words.forget_verb.search(behind[0]) is None and told is None
