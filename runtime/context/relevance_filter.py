"""Which of what was found a turn needs: rules that it names or speaks of, not all that share a word with it.

Source: seed 000, §8.6: rules stand in a pack only where their terms are needed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from knowledge.canon.core.names import is_named, name_keys
from knowledge.search.core.bm25 import inverse_document_frequency
from knowledge.text.analysis import analyse
from knowledge.text.queries import leave_out_question_words
from runtime.context.core.pack import Item

MESSAGE_SHARE = "message_share"
"""Its name among the scores of a passage that was judged."""


@dataclass(frozen=True, slots=True)
class RelevanceFilter:
    """When a passage of the rules is told; one of three ways is enough. Words weigh by idf among all canon."""

    enabled: bool
    named_share: float
    """Its article is named, and it holds this share of the message's words."""
    share: float
    telling_words: float
    """It holds this share of the message's words, and what it holds weighs as much as so many that canon never says."""
    similarity: float
    """It is this near to the message in meaning; counts only with an embedder that knows meaning."""


@dataclass(frozen=True, slots=True)
class WeighedMessage:
    """The words of a message, as telling as they are in canon: rules alone are too few to know a word of every day."""

    lexemes: frozenset[str]
    weights: Mapping[str, float]
    """Without words that only ask."""
    rarest: float
    """What a word weighs that canon never says."""


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A passage of the rules, and what it is held against a message by."""

    text: str
    names: tuple[str, ...]
    """Title and aliases of its article, as they are looked up."""
    headings: tuple[str, ...]
    similarity: float | None
    """Cosine to the message; None where it is not known, or says nothing of meaning."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a passage is told, and the share of the message's words that it holds."""

    is_relevant: bool
    share: float


def weigh_message(lexemes: frozenset[str], frequencies: Mapping[str, int], *, passage_count: int) -> WeighedMessage:
    """The message's words by idf. `frequencies` hold every lexeme that was searched for, those that canon never says
    by 0.

    What was not searched for is left out: where the place alone was worth a search, the message says nothing.
    """
    weights = {
        lexeme: inverse_document_frequency(frequencies[lexeme], passage_count)
        for lexeme in leave_out_question_words(dict.fromkeys(sorted(lexemes), 1))
        if lexeme in frequencies
    }
    return WeighedMessage(lexemes, weights, inverse_document_frequency(0, passage_count))


def judge_rule(relevance_filter: RelevanceFilter, message: WeighedMessage, rule: FoundRule) -> Verdict:
    """Whether the message calls for the rule."""
    names = {*rule.names, *name_keys(rule.headings)}
    held = _weigh_held(message, _list_lexemes(rule.text).union(*(name.split() for name in names)))
    total = sum(message.weights.values())
    share = held / total if total else 0.0
    is_called = is_named(names, message.lexemes) and share >= relevance_filter.named_share
    is_spoken_of = share >= relevance_filter.share and held >= relevance_filter.telling_words * message.rarest
    is_near = rule.similarity is not None and rule.similarity >= relevance_filter.similarity
    return Verdict((total > 0 and (is_called or is_spoken_of)) or is_near, share)


def mark_relevance(items: Iterable[Item], verdicts: Mapping[str, Verdict]) -> tuple[Item, ...]:
    """The items, those that were judged marked by what came of it; the share stands among their scores."""
    return tuple(item if item.id not in verdicts else _mark_item(item, verdicts[item.id]) for item in items)


def _mark_item(item: Item, verdict: Verdict) -> Item:
    scores = {**item.provenance.scores, MESSAGE_SHARE: verdict.share}
    return replace(item, provenance=replace(item.provenance, scores=scores), is_relevant=verdict.is_relevant)


@functools.lru_cache(maxsize=256)
def _list_lexemes(text: str) -> frozenset[str]:
    """The lexemes of a passage; the same few rules are found turn after turn."""
    return frozenset(analyse(text))


def _weigh_held(message: WeighedMessage, lexemes: Set[str]) -> float:
    """In the message's own order, so that equal messages weigh equal to the last digit."""
    return sum(weight for lexeme, weight in message.weights.items() if lexeme in lexemes)
