"""Recall@10, hit@1 and MRR of episode search over messages of dialogues: the folders of `quality`, stored as messages.

Each ns becomes one user with one conversation; whoever speaks first is the user. Rows of the corpus may hold `time` and
`speaker`; without `speaker`, what stands before the first colon. Every mode is scored with the features that rank
messages and without ("alone"). Figures are printed as they come; with `--resume FILE` a run that was killed goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.dialogue_store import StoredDialogue, store_dialogue
from bench.folders import DEPTH, MODES, Folder, read_folder
from bench.progress import Progress
from bench.report import Report
from episodes.search.selectors.search import search_episodes
from knowledge.config import MessageSettings, get_message_settings
from knowledge.search.embedding import get_message_embedder, name_vector_space

LIMITS = {
    "locomo_dev": {"recall@10": (0.77, 0.82), "hit@1": (0.48, 0.48)},
    "realtalk_dev": {"recall@10": (0.57, 0.59), "hit@1": (0.40, 0.40)},
    "beam_dev": {"recall@10": (0.56, 0.56), "hit@1": (0.44, 0.44)},
}
"""By keywords alone, and with a sentence model: above what the search without these features found."""
Found = list[tuple[str, list[str]]]


def run(options: argparse.Namespace) -> Report:
    """Stores each folder's messages and scores every mode, with features and without."""
    report = Report("dialogue", json_path=options.json_path)
    progress = Progress(options.resume)
    is_semantic = get_message_embedder().is_semantic
    rows = []
    for path in options.folders:
        folder = read_folder(path)
        settings = {shown: value for mode in options.modes for shown, value in _list_settings(mode).items()}
        found = _find(report, path, folder, settings, progress)
        for shown, answers in found.items():
            scores = folder.score(answers)
            rows.append([path.name, shown, *scores.values()])
            report.data.setdefault(path.name, {})[shown] = scores
            report.say(f"{path.name} {shown}: {_show(scores)}")
            report.save()
        for name, limits in LIMITS.get(path.name, {}).items():
            if "convex" in options.modes:
                value = report.data[path.name]["convex"][name]
                report.figure(f"convex_{name}_{path.name}", value, at_least=limits[is_semantic])
    report.table(["set", "mode", "recall@10", "hit@1", "mrr"], rows)
    return report


def _list_settings(mode: str) -> dict[str, MessageSettings]:
    base = get_message_settings()
    changed = base.model_copy(update={"retrieval": base.retrieval.model_copy(update=MODES[mode])})
    return {mode: changed, f"{mode}, alone": changed.model_copy(update={"features": {}})}


def _find(
    report: Report, path: Path, folder: Folder, settings: Mapping[str, MessageSettings], progress: Progress
) -> dict[str, Found]:
    """What each way of searching finds, ns by ns; an ns that was searched before is not stored again."""
    found: dict[str, Found] = {shown: [] for shown in settings}
    for ns, lines in folder.corpus.items():
        queries = [query for query in folder.queries if str(query.get("ns", "")) == ns]
        keys = {shown: _name_step(path, ns, shown, value) for shown, value in settings.items()}
        missing = [shown for shown in settings if progress.get(keys[shown]) is None]
        stored = store_dialogue(report, f"{path.name}.{ns or 'all'}", lines) if missing and queries else None
        for shown in settings:
            if stored is not None and shown in missing:
                progress.add(keys[shown], search_all(stored, queries, settings[shown]))
            found[shown] += [(query_id, answers) for query_id, answers in progress.get(keys[shown]) or []]
            partial = [query for query, _ in found[shown]]
            report.say(f"{path.name} {ns} {shown}, so far: {_show(folder.score(found[shown], among=partial))}")
    return found


def _name_step(path: Path, ns: str, shown: str, settings: MessageSettings) -> str:
    """A key that changes with the embedder, the settings and the texts."""
    texts = b"".join((path / name).read_bytes() for name in ("corpus.jsonl", "queries.jsonl"))
    inputs = [settings.model_dump_json(), name_vector_space(get_message_embedder()), hashlib.sha256(texts).hexdigest()]
    return f"{path.name}/{ns}/{shown}/{hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:12]}"


def search_all(
    stored: StoredDialogue, queries: Sequence[Mapping[str, Any]], settings: MessageSettings
) -> list[list[Any]]:
    """The keys that each query finds, best first."""
    conversation = stored.conversation
    return [
        [
            query["_id"],
            [
                stored.keys[card.message_id]
                for card in search_episodes(
                    tenant_id=conversation.tenant_id,
                    end_user_id=conversation.end_user_id,
                    query=query["text"][:4000],
                    k=DEPTH,
                    settings=settings,
                ).cards
            ],
        ]
        for query in queries
    ]


def _show(scores: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in scores.items())
