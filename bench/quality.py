"""Recall@10, hit@1 and MRR of bm25, vector, rrf and convex over BEIR-like folders (see `bench.folders`)."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.corpus import Text, load_release
from bench.folders import DEPTH, MODES, read_folder
from bench.report import Report
from knowledge.canon.selectors.search import search_lore
from knowledge.config import get_domain_settings
from knowledge.search.embedding import get_embedder

QUERY_BATCH_SIZE = 64
MAX_QUERY = 4000
CONVEX_LIMITS = {
    "xquad_q-ru_d-en": {"recall@10": 0.97, "hit@1": 0.78},
    "xquad_ru": {"recall@10": 0.98, "hit@1": 0.94},
}
"""With an embedder that knows meaning."""
BM25_RECALL_LIMITS = {"xquad_ru": 0.98, "xquad_en": 0.98, "srd52_ru": 0.95}


def run(options: argparse.Namespace) -> Report:
    """Loads each folder and scores every mode."""
    report = Report("quality", json_path=options.json_path)
    rows = []
    for folder in options.folders:
        scores = _score_folder(folder, options.modes, report)
        report.save()
        rows += [
            [folder.name, mode, *(scores[mode][name] for name in ("recall@10", "hit@1", "mrr"))]
            for mode in options.modes
        ]
        limit = BM25_RECALL_LIMITS.get(folder.name)
        if limit is not None and "bm25" in scores:
            report.figure(f"bm25_recall_{folder.name}", scores["bm25"]["recall@10"], at_least=limit)
        if get_embedder("lore").is_semantic and "convex" in scores:
            for name, least in CONVEX_LIMITS.get(folder.name, {}).items():
                report.figure(f"convex_{name}_{folder.name}", scores["convex"][name], at_least=least)
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
    if set(modes) - {"bm25"}:
        _embed_queries([query["text"][:MAX_QUERY] for query in folder.queries], report)
    scores: dict[str, dict[str, float]] = {}
    report.data[path.name] = scores
    for mode in modes:
        settings = base.model_copy(update={"retrieval": base.retrieval.model_copy(update=MODES[mode])})
        found = []
        for query in folder.queries:
            release, keys = scopes[str(query.get("ns", ""))]
            result = search_lore(release, query["text"][:MAX_QUERY], k=DEPTH, settings=settings)
            found.append((query["_id"], [keys[hit.passage_id] for hit in result.hits]))
        scores[mode] = folder.score(found)
        report.say(f"{path.name} {mode}: {scores[mode]}")
        report.save()
    return scores


def _embed_queries(texts: list[str], report: Report) -> None:
    """The queries' vectors, kept on disk (see `bench.vectors`), before the first of them is searched for."""
    embedder = get_embedder("lore")
    for start in range(0, len(texts), QUERY_BATCH_SIZE):
        embedder.embed_queries(texts[start : start + QUERY_BATCH_SIZE])
        if start % (8 * QUERY_BATCH_SIZE) == 0:
            report.say(f"{start} of {len(texts)} queries embedded")
