"""Recall@10, hit@1 and MRR of bm25, vector, rrf and convex over BEIR-like folders (see `bench.folders`)."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.corpus import Text, load_release
from bench.folders import DEPTH, MODES, read_folder
from bench.report import Report
from knowledge.canon.selectors.search import search_lore
from knowledge.config import get_domain_settings

BM25_RECALL_LIMITS = {"xquad_ru": 0.98, "xquad_en": 0.98, "srd52_ru": 0.95}


def run(options: argparse.Namespace) -> Report:
    """Loads each folder and scores every mode."""
    report = Report("quality")
    rows = []
    for folder in options.folders:
        scores = _score_folder(folder, options.modes, report)
        report.data[folder.name] = scores
        rows += [
            [folder.name, mode, *(scores[mode][name] for name in ("recall@10", "hit@1", "mrr"))]
            for mode in options.modes
        ]
        limit = BM25_RECALL_LIMITS.get(folder.name)
        if limit is not None and "bm25" in scores:
            report.figure(f"bm25_recall_{folder.name}", scores["bm25"]["recall@10"], at_least=limit)
    report.table(["set", "mode", "recall@10", "hit@1", "mrr"], rows)
    return report


def _score_folder(path: Path, modes: list[str], report: Report) -> dict[str, dict[str, float]]:
    folder = read_folder(path)
    count = sum(map(len, folder.corpus.values()))
    report.say(f"{path.name}: {count} texts, {len(folder.queries)} queries, {len(folder.corpus)} scopes")
    scopes = {}
    for number, (ns, rows) in enumerate(folder.corpus.items()):
        texts = [Text(row["_id"], row.get("title") or "", row["text"]) for row in rows]
        release, ids = load_release(f"{path.name.replace('.', '-')}-{number}", lambda texts=texts: texts)
        scopes[ns] = release, {passage_id: key for key, passage_id in ids.items()}
    base = get_domain_settings("lore")
    scores = {}
    for mode in modes:
        settings = base.model_copy(update={"retrieval": base.retrieval.model_copy(update=MODES[mode])})
        found = []
        for query in folder.queries:
            release, keys = scopes[str(query.get("ns", ""))]
            result = search_lore(release, query["text"][:4000], k=DEPTH, settings=settings)
            found.append((query["_id"], [keys[hit.passage_id] for hit in result.hits]))
        scores[mode] = folder.score(found)
        report.say(f"{path.name} {mode}: {scores[mode]}")
    return scores
