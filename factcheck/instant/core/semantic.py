"""Facts that no pattern heard: readers find values in a sentence, the embedder's layers say whether they are stated.

A reader is not believed alone; layers are, also of values that no reader knows or a guard speaks against. A pattern's
hit is not believed either where the sentence looks like no statement of its kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Sequence
from dataclasses import replace

from factcheck.instant.core.answers import MAX_ANSWER_LENGTH
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.contrasts import is_called_harmless, is_liked, is_put_up_with
from factcheck.instant.core.errands import is_errand
from factcheck.instant.core.event_details import name_event, without_details
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.found_values import is_wider
from factcheck.instant.core.judges import Judgement, Scorer, judge_candidates, tag_windows
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.pattern_rows import HAPPENED
from factcheck.instant.core.plain_statements import MIN_SETTLED_SURE, is_all_said, is_settled
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.value_candidates import add_stated, list_candidates
from factcheck.instant.core.value_choice import Candidate
from knowledge.facts.core.types import (
    LIFE_EVENT,
    NUMBER_TYPES,
    PROTECTED_TYPES,
    THING_TYPES,
    WISH_TYPES,
)

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
"""The log-odds from which on a size or a sum that a pattern heard is believed. Of 1,440 lines and 660 dialogues by
strangers layers refused eight such statements above it, all right, and below it, from -2.8, seven that were past."""
_MIN_HEARD_WISH = -2.4
"""The same of a wish in plain words beside another statement, by which layers are distracted. A wish that stands alone
they know: it may be another's («без смайликов, сказал начальник»)."""
_MIN_HEARD_ALLERGY, _MIN_HEARD_BAN = 0.0, -2.0
"""The same of the only thing that a message says to protect its author, which is kept in doubt: half of them right."""

_WISHED_THINGS = frozenset({"emojis", "cliffhangers"})
"""Things of which "none" is a wish about manner."""
_MIN_ORDERED_SURE, _MIN_ORDERED = -0.3, -2.1
"""The same of a ban on a known thing beside an order to leave it out; between the two it is in doubt."""
_MAX_WORDS_TO_ORDER = 2
_MIN_RECENT, _MIN_RECENT_ARABIZI = -1.2, -2.5
"""The same of what has just happened, in plain words that a reader found: layers learnt from few such lines, above all
in Arabizi."""
_MIN_UNKNOWN = 1.5
"""The same of a thing that is in no table, where the message says nothing else to protect its author: below it were six
of eight in 30,000 lines of chat («нафталин я забуду»), and one of nineteen by eight strangers."""
_MIN_GENERAL_SUM = 1.0
"""The same of a sum for nothing in particular that no pattern heard: «Я даю 20 долларов»."""


def read_by_meaning(
    message: FoldedMessage,
    heard: Sequence[ExtractedFact],
    context: ReaderContext,
    scorer: Scorer,
) -> list[ExtractedFact]:
    """What patterns heard, as far as it looks like a statement of its kind, and what else the sentences state.

    Answers are refused by words alone, which are read behind the question; one that no reader finds in them ("yes") is
    believed. So is what layers may not refuse (`is_settled`), or refuse without certainty. A value that stands alone
    states nothing without a question. What protects a person and is less than sure is in doubt.
    """
    candidates = list_candidates(message, heard, context)
    tagged = None
    if scorer.tagger is not None and scorer.tagger.thresholds:
        tagged = tag_windows(message, candidates, scorer, context.question)
        candidates = add_stated(message, candidates, tagged.values(), scorer.tagger.kinds, context)
    read = {(each.fact.type, each.fact.key) for each in candidates if each.is_heard}
    answers = [fact for fact in heard if fact.answers_previous]
    kept = {(fact.type, fact.key): fact for fact in answers if (fact.type, fact.key) not in read}
    judgements = judge_candidates(message, candidates, scorer, tagged)
    likely = {_name(each) for each in judgements if _is_protection(each) and (each.score or 0.0) > 0}
    sure = {_name(each) for each in judgements if each.is_believed and each.is_sure}
    stated = {_name(each) for each in judgements if each.is_believed}
    protecting = {_name(each) for each in judgements if each.is_believed and _is_protection(each)}
    for judged in sorted(_without_parts(judgements), key=_rank):
        fact = judged.candidate.fact
        if _is_unreal(message, judged.candidate) or _is_errand(message, judged.candidate, context.concepts):
            continue
        if not context.question and (_is_bare(message, judged.candidate) or _is_far_off(judged, protecting, context)):
            continue
        score, is_answer = judged.score or 0.0, fact.answers_previous and not judged.by_words
        settled = is_settled(message, judged.candidate, context)
        is_other = judged.candidate.is_heard and _is_protection(judged) and _is_likely_other(fact, likely)
        is_kept = (
            judged.is_believed
            or _is_recent(judged, message)
            or is_answer
            or settled
            or is_other
            or _is_heard_well(judged, message, stated)
        )
        ordered = _is_ordered_out(judged, message, context)
        is_kept = is_kept or (ordered and score >= _MIN_ORDERED_SURE)
        is_alone = not is_kept and (_is_heard_alone(judged, protecting) or (ordered and score >= _MIN_ORDERED))
        if is_kept or is_alone:
            believed = _make_believed(judged, message, context)
            is_sure = _name(judged) in sure or _is_plain(judged, message, settled=settled)
            if fact.type in PROTECTED_TYPES and (is_alone or not is_sure or _is_harmless(judged, message)):
                believed = _make_doubtful(believed, judged.score or 0.0)
            kept.setdefault((fact.type, fact.key), believed)
    return without_details(list(kept.values()), context.concepts)


def _is_unreal(message: FoldedMessage, candidate: Candidate) -> bool:
    """Whether a number that no pattern heard is one that its author does not have, or no longer: 要是我有十万块."""
    before = message.text[candidate.sentence[0] : candidate.span[0]]
    is_read = candidate.fact.type in NUMBER_TYPES and not candidate.is_heard
    return is_read and _UNREAL.search(before) is not None


def _is_errand(message: FoldedMessage, candidate: Candidate, concepts: ConceptTable) -> bool:
    """Whether a value that no pattern heard belongs to what is to be done once: "a daily alarm for 7:30"."""
    fact = candidate.fact
    if candidate.is_heard or fact.type in PROTECTED_TYPES or (fact.type == LIFE_EVENT and name_event(fact, concepts)):
        return False
    return is_errand(message.text[slice(*candidate.sentence)])


def _is_far_off(judged: Judgement, protecting: set[tuple[str, str]], context: ReaderContext) -> bool:
    """Whether layers alone believe a thing that nothing else speaks for, or a sum, with less certainty than needed."""
    candidate, fact, score = judged.candidate, judged.candidate.fact, judged.score or 0.0
    if candidate.is_heard:
        return False
    if fact.type == "budget":
        return fact.key == "general" and score < _MIN_GENERAL_SUM
    is_alone = fact.type in PROTECTED_TYPES and protecting <= {_name(judged)}
    return is_alone and candidate.is_found and score < _MIN_UNKNOWN and not context.concepts.names_thing(fact.value)


def _is_likely_other(fact: ExtractedFact, likely: Container[tuple[str, str]]) -> bool:
    """Whether the same thing is likely to be stated as the other kind of protection."""
    return any((each, fact.key) in likely for each in PROTECTED_TYPES if each != fact.type)


def _is_heard_well(judged: Judgement, message: FoldedMessage, stated: set[tuple[str, str]]) -> bool:
    """Whether a pattern heard a number that is real, or a plain wish beside something else that is `stated`, and layers
    refuse it, but without certainty.
    """
    candidate, fact, score = judged.candidate, judged.candidate.fact, judged.score or 0.0
    if not _is_stated(judged):
        return False
    if fact.type in WISH_TYPES:
        return fact.key in _PLAIN_WISHES and score >= _MIN_HEARD_WISH and bool(stated - {_name(judged)})
    before = message.text[candidate.sentence[0] : candidate.span[0]]
    return fact.type in NUMBER_TYPES and score >= _MIN_HEARD_NUMBER and _UNREAL.search(before) is None


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


def _is_recent(judged: Judgement, message: FoldedMessage) -> bool:
    """Whether plain words say, with no guard against them, what has just happened to the author or theirs."""
    candidate = judged.candidate
    is_plain = HAPPENED in candidate.fact.pattern and not candidate.guards
    return is_plain and (judged.score or 0.0) >= (_MIN_RECENT_ARABIZI if is_arabizi(message.text) else _MIN_RECENT)


def _is_heard_alone(judged: Judgement, protecting: set[tuple[str, str]]) -> bool:
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


def _name(judged: Judgement) -> tuple[str, str]:
    return judged.candidate.fact.type, judged.candidate.fact.key


def _is_plain(judged: Judgement, message: FoldedMessage, *, settled: bool) -> bool:
    """Whether what protects is out of doubt by its words: it is plain, or all that its sentence says."""
    is_alone = judged.candidate.count == 1 or judged.candidate.fact.answers_previous
    is_plain = settled and (is_alone or judged.score is None or judged.score >= MIN_SETTLED_SURE)
    return is_plain or is_all_said(message, judged.candidate)


def _is_harmless(judged: Judgement, message: FoldedMessage) -> bool:
    """Whether the words behind a thing say that it does no harm, or that its author bears it; or those before one that
    answers whether it is an allergy say that they like it.
    """
    fact, text = judged.candidate.fact, message.text
    place = message.find_place(fact.end)
    if fact.type == "allergy" and fact.answers_previous and is_liked(text, judged.candidate.span[0]):
        return True
    return is_called_harmless(text, place) or (fact.type == "hard_ban" and is_put_up_with(text, place))


def _is_protection(judged: Judgement) -> bool:
    """Whether a value, with no guard against it, would protect its author: of what is heard as a ban and likelier as an
    allergy, "I can't have sugar", one is kept, in doubt.
    """
    return judged.candidate.fact.type in PROTECTED_TYPES and not judged.candidate.guards


def _make_doubtful(fact: ExtractedFact, score: float) -> ExtractedFact:
    """The fact in doubt, and no surer than its odds."""
    odds = 1 / (1 + math.exp(-score))
    return replace(fact, is_doubtful=True, confidence=min(fact.confidence, round(odds, 2)))


def _without_parts(judgements: Sequence[Judgement]) -> list[Judgement]:
    """The judgements without things that are part of a likelier one: bulls of "bull ants". What a pattern heard gives
    way to one that is out of doubt alone.
    """
    wider = [each for each in judgements if each.candidate.is_found and each.is_believed]
    return [
        each
        for each in judgements
        if not any(_is_part_of(each, other) for other in wider if other.is_sure or not each.candidate.is_heard)
    ]


def _is_part_of(judged: Judgement, wider: Judgement) -> bool:
    one, other = judged.candidate, wider.candidate
    is_same = one.fact.type == other.fact.type and one.fact.type in THING_TYPES
    return is_same and is_wider(other.span, one.span) and (judged.score or 0.0) < (wider.score or 0.0)


def _rank(judged: Judgement) -> tuple[bool, float]:
    """What patterns heard comes first, since bounds cut the last, but for the numbers of an answer; then the likeliest:
    of two values of one key it is kept.
    """
    fact = judged.candidate.fact
    is_sure = judged.candidate.is_heard and not (fact.answers_previous and fact.type in NUMBER_TYPES)
    return not is_sure, -(judged.score or 0.0)


def _is_bare(message: FoldedMessage, candidate: Candidate) -> bool:
    """Whether a message says a value and nothing else, which no pattern takes for a statement: "spiders", "500"."""
    start, end = candidate.span
    rest = message.text[:start] + message.text[end:]
    return not candidate.is_heard and not any(character.isalnum() for character in rest)


def _make_believed(judged: Judgement, message: FoldedMessage, context: ReaderContext) -> ExtractedFact:
    """The fact with the weights that believe it, where no pattern heard it; where layers found it in a short message
    behind a question that asks for its type, as an answer, so that both messages prove it.
    """
    fact = judged.candidate.fact
    if judged.candidate.is_heard:
        return fact
    is_answer = judged.candidate.is_found and len(message.source) <= MAX_ANSWER_LENGTH and _is_asked(fact, context)
    return replace(fact, pattern=f"{fact.pattern}@{judged.version}", answers_previous=is_answer)


def _is_asked(fact: ExtractedFact, context: ReaderContext) -> bool:
    return fact.type in context.asked or (fact.type == "body_params" and bool(context.asked_measures))
