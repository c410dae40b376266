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
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.takeback_words import TakebackWords
from factcheck.instant.core.takebacks import Found
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, PROTECTED_TYPES, WISH_TYPES

MAX_NAME_LENGTH = 80
"""Characters that may name what is to be forgotten."""
_NEGATED = re.compile(r"(?<!\w)(?:не|لا|ما|la|ma|no|别|不要|没)\s+$")
"""Right before the verb, with no mark between: «не забудь», but "no, forget …"."""
_BUDGET = re.compile(
    r"budget(?=\W*$|\s+(?:i|that|from|pls|please|you|we|now|completely|entirely|thing|number|limit)(?!\w))"
    r"|бюджет[аеу]?(?!\w)|ميزاني|m[ie]z[ae]n[iey]|预算"
)
_SIZE = re.compile(r"(?<!\w)sizes?(?!\w)|размер|مقاس|قياس|ma2as|2yas|尺码|尺寸")
_NAME = re.compile(
    r"(?<!\w)(?:nick)?name(?!\w)|(?<!\w)(?:имя|кличк\w*|прозвищ\w*)(?!\w)|(?<!\w)(?:اسمي|esmi)|名字|称呼"
)
"""What stands for the only budget, the only size, or how the player is called."""
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
    for start, end in _list_clauses(message.text) if open_ else ():
        asked = words.forget_named.match(message.text, start, end)
        if asked is None or _NEGATED.search(asked["lead"]) or words.forget_for_now.search(message.text, start, end):
            continue
        place = asked.span("before" if asked["before"] else "behind")
        if place[1] - place[0] <= MAX_NAME_LENGTH and is_own(message, spoken, start, end):
            for fact in _list_named(message.text[slice(*place)], open_, concepts, words):
                found.setdefault(fact.id, Found(fact, start, end, is_named=True))
    return list(found.values())


def _list_clauses(text: str) -> Iterator[Span]:
    """Each sentence from the beginning of each of its clauses on."""
    for sentence in split_sentences(text):
        for start, _ in sentence.clauses:
            yield start, sentence.end


def _list_named(
    said: str, facts: Sequence[KnownFact], concepts: ConceptTable, words: TakebackWords
) -> Iterator[KnownFact]:
    if _GOODS.search(said):
        return
    measures = {label.key for label in list_labels(said, (0, len(said)))}
    is_told = words.forget_told.search(said) is not None
    stemmed = stem_text(said)
    sizes = [fact for fact in facts if fact.type == "body_params"]
    budgets = [fact for fact in facts if fact.type == "budget"]
    for fact in facts:
        if fact.type == "body_params":
            is_named = fact.key in measures or (not measures and len(sizes) == 1 and _SIZE.search(said) is not None)
        elif fact.type == "budget":
            is_named = len(budgets) == 1 and _BUDGET.search(said) is not None
        elif fact.type in WISH_TYPES:
            said_as = replace(fact, key="") if fact.key == "name" else fact  # the word "name" may be of anything
            is_called = fact.key == "name" and _NAME.search(said) is not None
            is_named = is_told and (is_called or bool(find_mentions(stemmed, said_as, concepts)))
        else:
            is_named = fact.type == LIFE_EVENT and is_told and bool(find_mentions(stemmed, fact, concepts))
        if is_named or (fact.type in NUMBER_TYPES and _names_value(said, fact)):
            yield fact


def _names_value(said: str, fact: KnownFact) -> bool:
    """Whether the figure of a size or a sum is said: "forget the 500"."""
    figure = re.search(r"\d+(?:\.\d+)?", fact.value)
    return figure is not None and re.fullmatch(rf"\W*(?:(?:the|my|that) )?{re.escape(figure[0])}\W*", said) is not None
