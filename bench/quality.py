"""Recall@10, hit@1 and MRR of bm25, vector, rrf and convex over BEIR-like folders.

A folder holds corpus.jsonl (_id, title, text, optional ns), queries.jsonl (_id, text, optional ns) and qrels.tsv
(query-id, corpus-id, score). With `ns`, a query is searched only among the passages of its own ns.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

import ir_measures
from ir_measures import RR, R, Success

from bench.corpus import Text, load_release
from bench.report import Report
from knowledge.canon.selectors.search import search_lore
from knowledge.config import get_domain_settings

MODES = {
    "bm25": {"mode": "keyword"},
    "vector": {"mode": "vector"},
    "rrf": {"mode": "hybrid", "fuse": "rrf"},
    "convex": {"mode": "hybrid", "fuse": "convex"},
}
BM25_RECALL_LIMITS = {"xquad_ru": 0.98, "xquad_en": 0.98, "srd52_ru": 0.95}
DEPTH = 10


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


def _score_folder(folder: Path, modes: list[str], report: Report) -> dict[str, dict[str, float]]:
    corpus: dict[str, list[Text]] = defaultdict(list)
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        corpus[str(row.get("ns", ""))].append(Text(row["_id"], row.get("title") or "", row["text"]))
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    qrels = list(_read_qrels(folder / "qrels.tsv"))
    report.say(f"{folder.name}: {sum(map(len, corpus.values()))} texts, {len(queries)} queries, {len(corpus)} scopes")
    scopes = {}
    for number, (ns, texts) in enumerate(corpus.items()):
        release, ids = load_release(f"{folder.name.replace('.', '-')}-{number}", lambda texts=texts: texts)
        scopes[ns] = release, {passage_id: key for key, passage_id in ids.items()}
    base = get_domain_settings("lore")
    scores = {}
    for mode in modes:
        settings = base.model_copy(update={"retrieval": base.retrieval.model_copy(update=MODES[mode])})
        found = []
        for query in queries:
            release, keys = scopes[str(query.get("ns", ""))]
            result = search_lore(release, query["text"][:4000], k=DEPTH, settings=settings)
            found += [
                ir_measures.ScoredDoc(query["_id"], keys[hit.passage_id], float(DEPTH - place))
                for place, hit in enumerate(result.hits)
            ]
        values = ir_measures.calc_aggregate([R @ DEPTH, Success @ 1, RR @ DEPTH], qrels, found)
        scores[mode] = {"recall@10": values[R @ DEPTH], "hit@1": values[Success @ 1], "mrr": values[RR @ DEPTH]}
        report.say(f"{folder.name} {mode}: {scores[mode]}")
    return scores


def _read_qrels(path: Path) -> list[ir_measures.Qrel]:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip()]
    if rows and not rows[0][-1].lstrip("-").isdigit():
        rows = rows[1:]
    return [ir_measures.Qrel(row[0], row[-2], int(row[-1])) for row in rows]
