"""The figures of `odds` that are about words, from what a fit of the tagger weighed (``manage.py fit_tagger``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from factcheck.extraction.proposers.offline.odds import MIN_KIND, MIN_MARGIN, SLOPES_BY_WORDS
from factcheck.instant.core.hearing_fit import KINDS
from factcheck.instant.tagger_fit.choice import FittedChoice, Weighed

_STEPS = 40
_PULL = 1e-3
Scored = tuple[Weighed, float]


def describe_odds(fitted: FittedChoice) -> Iterator[str]:
    """A row a figure: how many values are right of how many, by weights that had not seen their lines."""
    scored = list(zip(fitted.weighed, map(float, fitted.scores), strict=True))
    believed: list[Scored] = []
    refused: list[Scored] = []
    others: list[Scored] = []
    for each, score in scored:
        limits = fitted.thresholds[KINDS[each.kind]]
        if each.source == "heard":
            refused += [(each, score)] if score < limits.refuse else []
        else:
            (believed if score >= limits.accept else others).append((each, score))
    strong = [each for each in believed if _is_strong(each, fitted)]
    yield _count("MEANING_BY_WORDS", strong)
    yield _count("WEAK_MEANING_BY_WORDS", [each for each in believed if not _is_strong(each, fitted)])
    yield _count("BY_FINDER meaning", [each for each in believed if each[0].source in ("found", "guarded")])
    for kind in KINDS:
        yield _count(f"REFUSED_BY_WORDS {kind}", _keep(kind, refused))
    for kind in SLOPES_BY_WORDS:
        slope, offset = _fit_slope(_keep(kind, others))
        yield f"odds: SLOPES_BY_WORDS {kind}: ({slope:.2f}, {offset:.2f})"


def _is_strong(scored: Scored, fitted: FittedChoice) -> bool:
    each, score = scored
    margin = score - fitted.thresholds[KINDS[each.kind]].accept
    return margin >= MIN_MARGIN and each.about >= MIN_KIND


def _keep(kind: str, scored: Sequence[Scored]) -> list[Scored]:
    return [each for each in scored if KINDS[each[0].kind] == kind]


def _count(name: str, scored: Sequence[Scored]) -> str:
    right = sum(each.is_right for each, _ in scored)
    return f"odds: {name}: {right} of {len(scored)} right, {right / max(1, len(scored)):.2f}"


def _fit_slope(scored: Sequence[Scored]) -> tuple[float, float]:
    """The slope and the offset of log-odds over scores, by Newton's steps; a little drawn to nothing."""
    inputs = np.array([(score, 1.0) for _, score in scored]).reshape(-1, 2)
    wanted = np.array([each.is_right for each, _ in scored], dtype=np.float64)
    weights = np.zeros(2)
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        bend = (inputs * (odds * (1 - odds))[:, None]).T @ inputs + np.eye(2) * _PULL
        weights = weights - np.linalg.solve(bend, inputs.T @ (odds - wanted) + weights * _PULL)
    return float(weights[0]), float(weights[1])
