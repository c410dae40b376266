"""Facts that no pattern heard: readers find values in a sentence, the embedder's layers say whether they are stated.

A reader is not believed alone; layers are, also of values that no reader knows or a guard speaks against. A pattern's
hit is not believed either where the sentence looks like no statement of its kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from factcheck.instant.core.answers import MAX_ANSWER_LENGTH
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.contrasts import is_called_harmless, is_liked, is_put_up_with
from factcheck.instant.core.errands import is_errand
from factcheck.instant.core.event_details import name_event, without_details
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.found_values import is_wider
from factcheck.instant.core.judges import Judgement, Scorer, judge_candidates, tag_windows
from factcheck.instant.core.layer_limits import (
    MIN_ORDERED,
    MIN_ORDERED_SURE,
    is_heard_alone,
    is_heard_well,
    is_likely_other,
    is_protection,
    is_recent,
    is_too_unsure,
    is_unreal,
    measure_order,
    name_judged,
)
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.plain_statements import MIN_SETTLED_SURE, is_all_said, is_settled
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.value_candidates import add_stated, list_candidates
from factcheck.instant.core.value_choice import Candidate
from knowledge.facts.core.types import (
    LIFE_EVENT,
    NUMBER_TYPES,
    PROTECTED_TYPES,
    THING_TYPES,
)


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
    likely = {name_judged(each) for each in judgements if is_protection(each) and (each.score or 0.0) > 0}
    sure = {name_judged(each) for each in judgements if each.is_believed and each.is_sure}
    stated = {name_judged(each) for each in judgements if each.is_believed}
    protecting = {name_judged(each) for each in judgements if each.is_believed and is_protection(each)}
    for judged in sorted(_without_parts(judgements), key=_rank):
        fact = judged.candidate.fact
        if is_unreal(message, judged.candidate) or _is_errand(message, judged.candidate, context.concepts):
            continue
        if not context.question and (
            _is_bare(message, judged.candidate) or is_too_unsure(judged, message, protecting, context)
        ):
            continue
        is_answer = fact.answers_previous and not judged.by_words
        settled = is_settled(message, judged.candidate, context)
        is_other = judged.candidate.is_heard and is_protection(judged) and is_likely_other(fact, likely)
        is_plain = is_recent(judged, message) or is_heard_well(judged, message, stated)
        order = measure_order(judged, message, context)
        is_kept = judged.is_believed or is_answer or settled or is_other or is_plain or order >= MIN_ORDERED_SURE
        is_alone = not is_kept and (is_heard_alone(judged, protecting) or order >= MIN_ORDERED)
        if is_kept or is_alone:
            believed = _make_believed(judged, message, context)
            is_sure = name_judged(judged) in sure or _is_plain(judged, message, settled=settled)
            is_sure = is_sure or order >= MIN_ORDERED_SURE
            if fact.type in PROTECTED_TYPES and (is_alone or not is_sure or _is_harmless(judged, message)):
                believed = _make_doubtful(believed, judged.score or 0.0)
            kept.setdefault((fact.type, fact.key), believed)
    return without_details(list(kept.values()), context.concepts)


def _is_errand(message: FoldedMessage, candidate: Candidate, concepts: ConceptTable) -> bool:
    """Whether a value that no pattern heard belongs to what is to be done once: "a daily alarm for 7:30"."""
    fact = candidate.fact
    if candidate.is_heard or fact.type in PROTECTED_TYPES or (fact.type == LIFE_EVENT and name_event(fact, concepts)):
        return False
    return is_errand(message.text[slice(*candidate.sentence)])


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
