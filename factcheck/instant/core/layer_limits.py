"""Values that words and layers decide together: which layers refuse without certainty, or believe with little.

Each limit is in log-odds of the layers, beside their own of a kind (`HearingModel.thresholds`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Container

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.judges import Judgement
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.pattern_rows import HAPPENED
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.value_choice import Candidate
from knowledge.facts.core.types import NUMBER_TYPES, PROTECTED_TYPES, WISH_TYPES

_UNREAL = re.compile(
    r"(?<!\w)(?:if (?:only )?i (?:had|won|were|weighed)|when i was (?:young|younger|a kid|at school|\d+)"
    r"|если бы|было бы|были бы|когда я был[аи]? (?:молод|моложе|в школе)|в молодости"
    r"|لو (?:كان |كنت )?(?:معي|معايا|معاي|عندي|بملك)|(?:وانا|لما كنت) (?:صغير|شاب)\w*"
    r"|law (?:kan |kent )?(?:ma3\w+|3and[iy])|lamma kont so3'ay+ar\w*)(?!\w)"
    r"|(?:要是|如果|假如) ?我? ?有|年轻 ?(?:的 ?)?时候?|当年|年轻 ?那 ?(?:会儿?|阵子)|小时候"
)
"""Before a number."""
_PLAIN_WISHES = frozenset({"emoji", "format", "language", "length", "tone", "units"})
"""Keys of wishes that a pattern knows by their words. A name may be another's, a free wish may be anything."""
_MIN_HEARD_NUMBER = -0.9
"""Log-odds from which on a size or a sum that a pattern heard is believed. Of 1,440 lines and 660 dialogues by
strangers layers refused eight such statements above it, all right, and below it, from -2.8, seven that were past."""
_MIN_HEARD_WISH = -2.4
"""Log-odds of a wish in plain words beside another statement, by which layers are distracted. A wish that stands alone
they know: it may be another's («без смайликов, сказал начальник»)."""
_MIN_HEARD_ALLERGY, _MIN_HEARD_BAN = 0.0, -2.0
"""Log-odds of the only thing that a message says to protect its author, which is kept in doubt: half of them right."""
_WISHED_THINGS = frozenset({"emojis", "cliffhangers"})
"""Things of which "none" is a wish about manner."""
MIN_ORDERED_SURE, MIN_ORDERED = -0.3, -2.1
"""Log-odds of a ban on a known thing beside an order to leave it out; between the two it is in doubt."""
_ARABIZI_ORDER = re.compile(
    r"(?<!\w)(?:(?:la|ma) ?[aei]?t(?:[aeiou]{0,2}[jg][ei]+b|jbl?i|war+[aei]|7k[iy]|[ae]?hk[iy]|[ae]?[7h]d[ae]?r"
    r"|2o+l|go+l|gul"
    r"|2t[ae]?r[ae]?7|9t[ae]?r[ae]?7|qt[ae]?r[ae]?7|3r[ei]d|d[ae]?5+[ae]l|d[ae]?kh+[ae]?l|zk[ou]r|dhk[ou]r)\w*"
    r"|ma7add?\w* y[ei]*[jg][ei]+b|ma[ -]?b[aei]d+[iey]\w*(?: a?sho+u?f)?|ma[ -]?ab(?:gha|i)|mabi"
    r"|ma[ -]?b[g8]h?it(?:ch)?"
    r"|m[eiou]?sh 3a[yw][ei]?z\w*(?: a?shoof)?)"
    r"(?: (?:wala|ay|a[iy]y|chi|shi|shay|7aga|mash-?had|scene\w*|aflam|ma3[iye]+|3lia?|3liya|3laya|s[iey]+r[ei]?t"
    r"|[t6]ar[iey]+|3la|3ala"
    r"|3an|3n|3al|fi?|fih|fe|feeh|mawdo?u?3|les|produits|b|el|al|il|l))*[ ']?(?:[ae]?l[ -]?|l')?$"
)
"""Before a thing that no reader knows, in Arabic in Latin letters: an order never to bring it up."""
_MAX_ORDER_LENGTH = 60
"""Characters before a thing in which such an order stands."""
_UNKNOWN_PENALTY = 0.6
"""By how many log-odds likelier such a thing must be than one of the table."""
_MAX_WORDS_TO_ORDER = 2
"""Between an order and the thing: farther it is of something else."""
_MIN_RECENT, _MIN_RECENT_ARABIZI = -1.2, -2.5
"""Log-odds of what has just happened, in plain words that a reader found: layers learnt from few such lines, above all
in Arabizi."""
_MIN_UNKNOWN = 1.5
"""Log-odds of a thing that is in no table, where the message says nothing else to protect its author: below it were six
of eight in 30,000 lines of chat («нафталин я забуду»), and one of nineteen by eight strangers."""
_MIN_GENERAL_SUM = 1.0
"""Log-odds of a sum for nothing in particular that no pattern heard: «Я даю 20 долларов»."""


def is_too_unsure(
    judged: Judgement, message: FoldedMessage, protecting: set[tuple[str, str]], context: ReaderContext
) -> bool:
    """Whether layers alone believe a thing that nothing else speaks for, or a sum, with less certainty than needed."""
    candidate, fact, score = judged.candidate, judged.candidate.fact, judged.score or 0.0
    if candidate.is_heard:
        return False
    if fact.type == "budget":
        return fact.key == "general" and score < _MIN_GENERAL_SUM
    is_alone = fact.type in PROTECTED_TYPES and protecting <= {name_judged(judged)}
    if _is_ordered_unknown(candidate, message.text):
        return False
    return is_alone and candidate.is_found and score < _MIN_UNKNOWN and not context.concepts.names_thing(fact.value)


def is_heard_well(judged: Judgement, message: FoldedMessage, stated: set[tuple[str, str]]) -> bool:
    """Whether a pattern heard a number that is real, or a plain wish beside something else that is `stated`, and layers
    refuse it, but without certainty.
    """
    candidate, fact, score = judged.candidate, judged.candidate.fact, judged.score or 0.0
    if not _is_stated(judged):
        return False
    if fact.type in WISH_TYPES:
        return fact.key in _PLAIN_WISHES and score >= _MIN_HEARD_WISH and bool(stated - {name_judged(judged)})
    before = message.text[candidate.sentence[0] : candidate.span[0]]
    return fact.type in NUMBER_TYPES and score >= _MIN_HEARD_NUMBER and _UNREAL.search(before) is None


def measure_order(judged: Judgement, message: FoldedMessage, context: ReaderContext) -> float:
    """The log-odds of a ban that is ordered in so many words, less those that a thing in no table lacks; minus infinity
    of any other value.
    """
    score = judged.score or 0.0
    if _is_ordered_unknown(judged.candidate, message.text):
        return score - _UNKNOWN_PENALTY
    return score if _is_ordered_out(judged, message, context) else -math.inf


def _is_ordered_unknown(candidate: Candidate, text: str) -> bool:
    """Whether a thing that no reader knows stands right behind an order in Arabizi not to bring it up."""
    is_free = candidate.is_found and not (candidate.guards or candidate.fact.answers_previous)
    if candidate.fact.type != "hard_ban" or not is_free or not is_arabizi(text):
        return False
    first = max(candidate.sentence[0], candidate.span[0] - _MAX_ORDER_LENGTH)
    return _ARABIZI_ORDER.search(text, first, candidate.span[0]) is not None


def _is_ordered_out(judged: Judgement, message: FoldedMessage, context: ReaderContext) -> bool:
    """Whether a known thing stands beside an order to leave it out, of what may be eaten never to be offered, with no
    guard against it: "never show spiders".
    """
    candidate, text = judged.candidate, message.text
    is_known = not (candidate.is_found or candidate.guards or candidate.fact.answers_previous)
    if candidate.fact.type != "hard_ban" or not is_known or candidate.fact.key in _WISHED_THINGS:
        return False
    (first, last), (start, end) = candidate.sentence, candidate.span
    is_food = context.concepts.find(candidate.fact.value, "allergy") is not None
    if is_food and compile_phrases("ban_orders", "offering").search(text, first, last) is None:
        return False  # "a burger without onions"
    before = compile_phrases("ban_orders", "before").finditer(text, first, start)
    behind = compile_phrases("ban_orders", "behind").search(text, end, last)
    is_near = any(len(text[each.end() : start].split()) <= _MAX_WORDS_TO_ORDER for each in before)
    return is_near or (behind is not None and len(text[end : behind.start()].split()) <= _MAX_WORDS_TO_ORDER)


def is_recent(judged: Judgement, message: FoldedMessage) -> bool:
    """Whether plain words say, with no guard against them, what has just happened to the author or theirs."""
    candidate = judged.candidate
    is_plain = HAPPENED in candidate.fact.pattern and not candidate.guards
    return is_plain and (judged.score or 0.0) >= (_MIN_RECENT_ARABIZI if is_arabizi(message.text) else _MIN_RECENT)


def is_heard_alone(judged: Judgement, protecting: set[tuple[str, str]]) -> bool:
    """Whether layers refuse what a pattern heard to protect its author, but without certainty, and believe nothing else
    of the message to do so: it is kept in doubt, and asked about.
    """
    kind = judged.candidate.fact.type
    if kind not in PROTECTED_TYPES or protecting or not _is_stated(judged):
        return False
    return (judged.score or 0.0) >= (_MIN_HEARD_BAN if kind == "hard_ban" else _MIN_HEARD_ALLERGY)


def _is_stated(judged: Judgement) -> bool:
    """Whether a pattern heard it in a statement, with no guard against it."""
    candidate = judged.candidate
    return candidate.is_heard and not candidate.guards and not candidate.fact.answers_previous


def name_judged(judged: Judgement) -> tuple[str, str]:
    """The type and key of a judged value."""
    return judged.candidate.fact.type, judged.candidate.fact.key


def is_protection(judged: Judgement) -> bool:
    """Whether a value, with no guard against it, would protect its author: of what is heard as a ban and likelier as an
    allergy, "I can't have sugar", one is kept, in doubt.
    """
    return judged.candidate.fact.type in PROTECTED_TYPES and not judged.candidate.guards


def is_unreal(message: FoldedMessage, candidate: Candidate) -> bool:
    """Whether a number that no pattern heard is one that its author does not have, or no longer: 要是我有十万块."""
    before = message.text[candidate.sentence[0] : candidate.span[0]]
    is_read = candidate.fact.type in NUMBER_TYPES and not candidate.is_heard
    return is_read and _UNREAL.search(before) is not None


def is_likely_other(fact: ExtractedFact, likely: Container[tuple[str, str]]) -> bool:
    """Whether the same thing is likely to be stated as the other kind of protection."""
    return any((each, fact.key) in likely for each in PROTECTED_TYPES if each != fact.type)
