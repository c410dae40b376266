"""Weights of the features that rank messages, fitted to questions with known answers, and what they are worth
elsewhere.

Every conversation is left out once: the weights that the others give are scored on it. These figures, not those of the
fit, say what to expect of conversations that nobody has seen; folders of `--test` are never fitted to at all. Fitted by
softmax regression over the messages of each question, drawn to the weights of `config/knowledge.yaml`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.dialogue_store import StoredDialogue, store_dialogue
from bench.folders import DEPTH, read_folder
from bench.report import Report
from episodes.search.selectors.search import search_episodes
from knowledge.config import DEFAULT_FEATURES, MessageSettings, get_message_settings

STEPS = 250
RATE = 0.02
TEMPERATURE = 8.0
"""Scores lie between 0 and 2: a difference of 0.1 doubles the odds."""
PULL = 0.5
"""How strongly weights are drawn to those in use: a few hundred questions know little."""
ROUNDED_TO = 0.05
NAMES = tuple(DEFAULT_FEATURES)
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """One question: each candidate's match, its features, and whether it answers."""

    folder: str
    ns: str
    kind: str
    """The question's category; empty where the folder names none."""
    match: Weights
    features: Weights
    is_answer: NDArray[np.bool_]
    answers: int
    """All that answer, found or not."""


def run(options: argparse.Namespace) -> Report:
    """Fits, and prints dev, left-out and test figures apart."""
    report = Report("fit")
    dev = [sample for path in options.folders for sample in _read_samples(report, path)]
    test = [sample for path in options.test for sample in _read_samples(report, path)]
    start = np.array([get_message_settings().features.get(name, 0.0) for name in NAMES])
    fitted = _fit(dev, start)
    rounded = np.round(fitted / ROUNDED_TO) * ROUNDED_TO
    rows = _list_rows("dev", dev, {"in use": start, "fitted": fitted, "rounded": rounded})
    rows += _leave_one_out(report, dev, start, "of the others")
    rows += _leave_one_out(report, dev, np.zeros_like(start), "of the others, drawn to 0")
    rows += _list_rows("test", test, {"in use": start, "rounded": rounded})
    report.table(["", "set", "weights", "questions", "recall@10", "hit@1", "mrr"], rows)
    kinds = _list_kinds([*dev, *test], rounded)
    report.table(["set", "kind", "questions", "recall@10", "hit@1", "mrr", "among candidates"], kinds)
    weights = zip(NAMES, start, fitted, rounded, strict=True)
    report.table(["feature", "in use", "fitted", "rounded"], [[name, *map(float, values)] for name, *values in weights])
    report.data["rounded"] = dict(zip(NAMES, map(float, rounded), strict=True))
    report.data["scores"] = rows
    return report


def _read_samples(report: Report, path: Path) -> list[Sample]:
    folder = read_folder(path)
    base = get_message_settings()
    bare = base.model_copy(update={"features": dict.fromkeys(NAMES, 1.0)})
    samples = []
    for ns, lines in folder.corpus.items():
        stored = store_dialogue(report, f"{path.name}.{ns or 'all'}", lines)
        keys = stored.name_passages()
        for query in folder.queries:
            if str(query.get("ns", "")) == ns:
                answers = folder.list_answers(query["_id"])
                samples.append(_make_sample(path.name, ns, stored, keys, query, answers, bare))
    return samples


def _make_sample(
    folder: str,
    ns: str,
    stored: StoredDialogue,
    keys: Mapping[int, str],
    query: Mapping[str, Any],
    answers: set[str],
    settings: MessageSettings,
) -> Sample:
    """With every weight at 1, what a feature adds is its value."""
    conversation = stored.conversation
    hits = search_episodes(
        tenant_id=conversation.tenant_id,
        end_user_id=conversation.end_user_id,
        query=query["text"][:4000],
        k=DEPTH,
        settings=settings,
    ).candidates
    return Sample(
        folder,
        ns,
        str(query.get("category") or ""),
        np.array([hit.bm25_part + hit.vector_part for hit in hits]),
        np.array([[dict(hit.features)[name] for name in NAMES] for hit in hits]).reshape(len(hits), len(NAMES)),
        np.array([keys[hit.id] in answers for hit in hits], dtype=bool),
        max(len(answers), 1),
    )


def _fit(samples: Sequence[Sample], start: Weights) -> Weights:
    """The weights under which answers are likeliest to come first (Adam on the softmax over candidates)."""
    usable = [sample for sample in samples if sample.is_answer.any()]
    if not usable:
        return start
    depth = max(len(sample.match) for sample in usable)
    match = np.full((len(usable), depth), -np.inf)
    features = np.zeros((len(usable), depth, len(NAMES)))
    answers = np.zeros((len(usable), depth))
    for place, sample in enumerate(usable):
        size = len(sample.match)
        match[place, :size], features[place, :size], answers[place, :size] = (
            sample.match, sample.features, sample.is_answer,
        )  # fmt: skip
    weights, slope, spread = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, STEPS + 1):
        scores = TEMPERATURE * (match + features @ weights)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        wanted = odds * answers
        wanted /= np.maximum(wanted.sum(axis=1, keepdims=True), 1e-12)
        gradient = TEMPERATURE * np.einsum("qd,qdf->f", wanted - odds, features) / len(usable)
        gradient -= PULL * (weights - start)
        slope = 0.9 * slope + 0.1 * gradient
        spread = 0.99 * spread + 0.01 * gradient**2
        weights = weights + RATE * (slope / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
    return weights


def _leave_one_out(report: Report, dev: Sequence[Sample], start: Weights, shown: str) -> list[list[object]]:
    """Each conversation under the weights that all others give."""
    held: dict[str, list[tuple[int, float, float, float]]] = {}
    for folder, ns in sorted({(sample.folder, sample.ns) for sample in dev}):
        own = [sample for sample in dev if (sample.folder, sample.ns) == (folder, ns)]
        others = [sample for sample in dev if (sample.folder, sample.ns) != (folder, ns)]
        if others:
            scores = score(own, _fit(others, start))
            report.say(f"{folder} {ns} left out, {shown}: recall@10 {scores[0]:.3f}, hit@1 {scores[1]:.3f}")
            held.setdefault(folder, []).append((len(own), *scores))
    rows: list[list[object]] = []
    for folder, parts in held.items():
        total = sum(part[0] for part in parts)
        means = [sum(part[0] * part[place] for part in parts) / total for place in (1, 2, 3)]
        rows.append(["left out", folder, shown, total, *means])
    return rows


def _list_rows(label: str, samples: Sequence[Sample], weights: Mapping[str, Weights]) -> list[list[object]]:
    rows: list[list[object]] = []
    for folder in dict.fromkeys(sample.folder for sample in samples):
        own = [sample for sample in samples if sample.folder == folder]
        rows += [[label, folder, shown, len(own), *score(own, values)] for shown, values in weights.items()]
    return rows


def _list_kinds(samples: Sequence[Sample], weights: Weights) -> list[list[object]]:
    """Each kind of question by itself, with the share of its answers that any weights could find."""
    rows: list[list[object]] = []
    for folder, kind in sorted({(sample.folder, sample.kind) for sample in samples if sample.kind}):
        own = [sample for sample in samples if (sample.folder, sample.kind) == (folder, kind)]
        found = float(np.mean([sample.is_answer.sum() / sample.answers for sample in own]))
        rows.append([folder, kind, len(own), *score(own, weights), found])
    return rows


def score(samples: Sequence[Sample], weights: Weights) -> tuple[float, float, float]:
    """Mean recall@10, hit@1 and MRR."""
    recalls, hits, ranks = [], [], []
    for sample in samples:
        order = np.argsort(-(sample.match + sample.features @ weights), kind="stable")[:DEPTH]
        found = sample.is_answer[order]
        first = int(np.argmax(found)) if found.any() else None
        recalls.append(float(found.sum()) / sample.answers)
        hits.append(float(first == 0))
        ranks.append(0.0 if first is None else 1 / (first + 1))
    return float(np.mean(recalls)), float(np.mean(hits)), float(np.mean(ranks))
