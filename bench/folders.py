"""BEIR-like folders: corpus.jsonl (_id, title, text, maybe ns), queries.jsonl (_id, text, maybe ns), qrels.tsv."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ir_measures
from ir_measures import RR, R, Success

DEPTH = 10
MODES: dict[str, dict[str, Any]] = {
    "bm25": {"mode": "keyword"},
    "vector": {"mode": "vector"},
    "rrf": {"mode": "hybrid", "fuse": "rrf"},
    "convex": {"mode": "hybrid", "fuse": "convex"},
}
"""What each way of searching changes in the settings."""


@dataclass(frozen=True)
class Folder:
    """A set of texts, questions and what answers them. With `ns`, a query is searched among its own ns only."""

    corpus: dict[str, list[dict[str, Any]]]
    queries: list[dict[str, Any]]
    qrels: list[ir_measures.Qrel]

    def list_answers(self, query_id: str) -> set[str]:
        """The ids of what answers a query."""
        return {qrel.doc_id for qrel in self.qrels if qrel.query_id == query_id and qrel.relevance > 0}

    def score(
        self, found: Sequence[tuple[str, Sequence[str]]], *, among: Collection[str] | None = None
    ) -> dict[str, float]:
        """recall@10, hit@1 and MRR of the ids found for each query, best first; `among` leaves other queries out."""
        docs = [
            ir_measures.ScoredDoc(query_id, key, float(DEPTH - place))
            for query_id, keys in found
            for place, key in enumerate(keys)
        ]
        chosen = None if among is None else set(among)
        qrels = [qrel for qrel in self.qrels if chosen is None or qrel.query_id in chosen]
        if not qrels:
            return dict.fromkeys(("recall@10", "hit@1", "mrr"), 0.0)
        values = ir_measures.calc_aggregate([R @ DEPTH, Success @ 1, RR @ DEPTH], qrels, docs)
        return {"recall@10": values[R @ DEPTH], "hit@1": values[Success @ 1], "mrr": values[RR @ DEPTH]}


def read_folder(folder: Path) -> Folder:
    """What the folder's three files hold, the texts by ns."""
    corpus = defaultdict(list)
    for row in _read_rows(folder / "corpus.jsonl"):
        corpus[str(row.get("ns", ""))].append(row)
    return Folder(dict(corpus), _read_rows(folder / "queries.jsonl"), _read_qrels(folder / "qrels.tsv"))


def _read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _read_qrels(path: Path) -> list[ir_measures.Qrel]:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip()]
    if rows and not rows[0][-1].lstrip("-").isdigit():
        rows = rows[1:]
    return [ir_measures.Qrel(row[0], row[-2], int(row[-1])) for row in rows]
