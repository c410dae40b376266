"""How likely a statement is a fact: by what found it and, where nothing but a reader did, by the model of hearing.

The figures are shares of right values in the lines of ``qa/facts`` that five fits had held back in turn
(``manage.py fit_hearing_model``): the model of hearing had not seen the line that it judged. Those of words are of the
eighth that no layer was fitted to, by a choice that five fits had held back in turn (``manage.py fit_tagger``).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from factcheck.extraction.proposers.offline.range_reader import Statement
from factcheck.instant.core.judges import Judgement
from knowledge.facts.core.types import FACT_TYPES

ODDS_VERSION = "7"
BY_FINDER = {"pattern": 0.95, "answer": 0.95, "late_answer": 0.92, "cut": 0.9, "meaning": 0.81}
"""Of answers and cut statements: as many as of the same words in one message. Of meaning: where a guard speaks against
a value or no reader knows it and words are believed all the same.
"""
MIN_MARGIN = 1.0
"""Above the limit from which on a value is believed."""
MIN_KIND = 0.0
"""The log-odds that the text states the kind."""
MEANING, WEAK_MEANING = 0.97, 0.78
"""Of what vectors alone find, from both on and below: of 93 such values that the gate accepted 90 were right, read one
by one, and of the 42 below 36.
"""
MEANING_BY_WORDS, WEAK_MEANING_BY_WORDS = 0.9, 0.72
"""The same where words judge: of 1,527 values 1,370 were right, and of the 870 others 629."""
REFUSED = {
    "body_params": 0.93,
    "budget": 0.86,
    "allergy": 0.64,
    "life_event": 0.56,
    "instruction": 0.37,
    "hard_ban": 0.27,
}
"""Of what a pattern heard and the model of hearing refused: 13 of 13, 6 of 7, 9 of 14, 9 of 16, 10 of 27, 15 of 55,
the first drawn to .93 as 13 are few. Where words judge, vectors are asked as well: of ten bans that they refused and
words let pass 3 were right.
"""
REFUSED_BY_WORDS = {
    "body_params": 0.32, "budget": 0.5, "allergy": 0.12, "hard_ban": 0.1, "life_event": 0.5, "instruction": 0.26,
}  # fmt: skip
"""Where words refuse it: 6 of 19, 3 of 6, 8 of 64, 20 of 200, 6 of 12, 15 of 58."""
SLOPES = {
    "allergy": (0.71, -1.01), "hard_ban": (0.92, -0.93), "body_params": (1.37, -0.87), "budget": (1.12, -0.43),
    "life_event": (0.61, -0.47),
}  # fmt: skip
"""Of what no pattern heard and the model found too unlikely: slope and offset of its log-odds. None comes above .79."""
SLOPES_BY_WORDS = {
    "allergy": (0.96, -0.07), "hard_ban": (0.98, 0.04), "body_params": (0.85, -0.14), "budget": (0.93, 0.0),
    "life_event": (0.76, -0.24),
}  # fmt: skip
"""The same where words judge; none comes above .69."""
MIN_COMBINED = 0.45
"""Less likely remarks add up to nothing: who talks of nuts in every session has no allergy for that."""
MAX_COMBINED_SESSIONS = 3
MAX_COMBINED = 0.95


def estimate(statement: Statement) -> float:
    """The share of statements like this one that are right."""
    judged = statement.judgement
    if judged is None or judged.score is None:
        return BY_FINDER[statement.how]
    if statement.how == "meaning":
        return _estimate_meaning(judged, statement.margin)
    kind = FACT_TYPES[statement.fact.type].heard_as
    if judged.candidate.is_heard:
        return (REFUSED_BY_WORDS if judged.by_words else REFUSED).get(kind, 0.0)
    slopes = SLOPES_BY_WORDS if judged.by_words else SLOPES
    if kind not in slopes:
        return 0.0
    slope, offset = slopes[kind]
    return 1 / (1 + math.exp(-(slope * judged.score + offset)))


def _estimate_meaning(judged: Judgement, margin: float) -> float:
    is_strong = margin >= MIN_MARGIN and judged.kind is not None and judged.kind >= MIN_KIND
    if judged.by_words:
        return MEANING_BY_WORDS if is_strong else WEAK_MEANING_BY_WORDS
    return MEANING if is_strong else WEAK_MEANING


def combine(said: Iterable[tuple[float, int]]) -> float:
    """The odds of a fact stated several times: in one session the best statement counts, of others each."""
    by_session = sorted(said, key=lambda each: each[1])
    best = [max(odds for odds, _ in group) for _, group in itertools.groupby(by_session, key=lambda each: each[1])]
    likely = sorted((odds for odds in best if odds >= MIN_COMBINED), reverse=True)[:MAX_COMBINED_SESSIONS]
    together = 1 - math.prod(1 - odds for odds in likely) if len(likely) > 1 else 0.0
    return max(*best, min(MAX_COMBINED, together))
