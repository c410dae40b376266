"""Colours, materials, directions, seasons …: what canon gives one value, a clause gives another of the same class."""

from __future__ import annotations

from collections.abc import Sequence

from factcheck.claims.core.replies.asked import asks_of_more, lacks_character
from factcheck.claims.core.replies.canon import KindFact
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.numbers import is_stated
from factcheck.claims.core.replies.texts import Kind, Text, is_placed

HEAD_DISTANCE = 4
SHORT_ANSWER_PLACE = 5
"""A short answer has the value among its first words."""
RANK = "rank"
FIRST_WORDS = 1
SIMILE_DISTANCE = 3
WEAK_HEADS = frozenset({"%colour", "%material", "%temperature"})
"""`White` says nothing of what is of white stone."""


def compare_kinds(said: Said, facts: Sequence[KindFact], lexicon: Lexicon) -> list[Finding]:
    """What canon says to the values of one clause."""
    text = said.clause.text
    found = []
    for kind in (*text.kinds, *_list_prices(said, lexicon)):
        if kind.group == RANK and any(other.group == RANK for other in said.question.text.kinds):
            continue  # the elder was asked of, and now it is the younger who is told of
        if len({other.value for other in text.kinds if other.group == kind.group}) > 1 or _is_simile(
            text, kind, lexicon
        ):
            continue
        known = [fact for fact in facts if fact.group == kind.group and fact.slug in said.slugs]
        finding = _compare(said, kind, known, lexicon)
        if finding is not None:
            found.append(finding)
    return found


def _compare(said: Said, kind: Kind, known: Sequence[KindFact], lexicon: Lexicon) -> Finding | None:
    text = said.clause.text
    meant = [fact for fact in known if _stands_beside(said, kind, fact)]
    if not meant:
        meant = [fact for fact in known if _answers(said, kind, fact, known, lexicon)]
    if not meant or any(fact.value == kind.value for fact in meant) or len({fact.slug for fact in meant}) > 1:
        return None
    values = {fact.value for fact in meant}
    if any(f"%{kind.group}:{value}" in said.reply_keys for value in values):
        return None
    is_of_speaker = said.question.is_of_speaker and "yes" in said.question.asks and said.clause.is_opening
    is_sure = is_stated(said, kind.start, lexicon) and not said.is_own and len(values) == 1
    is_sure = is_sure and not is_of_speaker and not (kind.group == "material" and is_placed(text.words, kind.start))
    fact = meant[0]
    return said.finding("kind", fact.quote, fact.slug, fact.value, fact.field, is_sure=is_sure)


def _stands_beside(said: Said, kind: Kind, fact: KindFact) -> bool:
    """Whether a word of what has the value in canon stands beside the value in the clause."""
    text = said.clause.text
    near = range(max(kind.start - HEAD_DISTANCE, 0), min(kind.end + HEAD_DISTANCE, len(text.words)))
    beside = {key for place in near if not kind.start <= place < kind.end for key in text.keys[place]}
    if kind.start <= FIRST_WORDS:
        beside |= said.around
    heads = {key for key in fact.heads - said.type_keys if key.split(":")[0] not in WEAK_HEADS}
    return bool(beside & heads)


def _answers(said: Said, kind: Kind, fact: KindFact, known: Sequence[KindFact], lexicon: Lexicon) -> bool:
    """Whether the value is a short answer to a question for it: by the word of what has it, or for the class."""
    if not said.clause.is_opening or kind.start >= SHORT_ANSWER_PLACE:
        return False
    question = said.question.text
    if lexicon.lists["asked_own_thing"].is_in(question.words):
        return False
    if fact.group == "material" and asks_of_more(said, fact.quote, lexicon):
        return False
    if question.all_keys() & (fact.heads - said.type_keys):
        return True
    if lexicon.lists["asked_self"].is_in(question.words) or asks_of_more(said, fact.quote, lexicon):
        return False
    if fact.group == "material" and lacks_character(said, fact.quote, lexicon):
        return False
    asked = {each.label for each in lexicon.asked_kinds.find(question.words)}
    is_only = len({other.value for other in known if other.slug == fact.slug}) == 1
    return kind.group in asked and is_only and said.is_settled


def _list_prices(said: Said, lexicon: Lexicon) -> list[Kind]:
    """Coins in the answer to a question for a price say that it is not free."""
    if "number" not in said.question.asks or not said.clause.is_opening:
        return []
    coins = [each for each in said.clause.text.concepts if each.label in lexicon.coins]
    return [Kind(coins[0].start, coins[0].end, "fee", "charged")] if coins else []


def _is_simile(text: Text, kind: Kind, lexicon: Lexicon) -> bool:
    before = text.words[max(kind.start - SIMILE_DISTANCE, 0) : kind.start]
    return lexicon.cues["simile"].is_in(before)
