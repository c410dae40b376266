"""Vectors of a benchmark kept on disk: a run that was cut short goes on where it stopped, a slow endpoint is retried.

They stay in `.data/bench/vectors.sqlite3` between runs, by vector space and text.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

BATCH = 32
TRIES = 6
PATH = Path(__file__).resolve().parent.parent / ".data" / "bench" / "vectors.sqlite3"


def keep_vectors(path: Path = PATH) -> None:
    """From now on every embedder of this process keeps the vectors of its texts and queries."""
    from knowledge.search import embedding

    plain = embedding.make_embedder
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as store:
        store.execute("CREATE TABLE IF NOT EXISTS vector (digest BLOB PRIMARY KEY, value BLOB NOT NULL)")

    def make(model: str, dims: int) -> KeptVectors:
        return KeptVectors(plain(model, dims), path)

    embedding.make_embedder = make


@dataclass(frozen=True)
class KeptVectors:
    """An embedder that asks another one only for what it does not know."""

    embedder: Any
    path: Path

    def __getattr__(self, name: str) -> Any:
        return getattr(self.embedder, name)

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        """Shape (len(texts), dims)."""
        return self._embed(texts, self.embedder.embed_documents, f"passage {self.embedder.passage_prefix}")

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        """Shape (len(texts), dims)."""
        return self._embed(texts, self.embedder.embed_queries, f"query {self.embedder.query_prefix}")

    def _embed(self, texts: Sequence[str], ask: Any, kind: str) -> np.ndarray:
        space = f"{self.embedder.name}/{self.embedder.dims} {kind}\0"
        digests = [hashlib.sha256((space + text).encode("utf-8", "replace")).digest() for text in texts]
        with sqlite3.connect(self.path, timeout=60) as store:
            known = {}
            for digest in digests:
                row = store.execute("SELECT value FROM vector WHERE digest = ?", (digest,)).fetchone()
                if row is not None:
                    known[digest] = np.frombuffer(row[0], dtype=np.float32)
            asked = dict(zip(digests, texts, strict=True))
            missing = [(digest, text) for digest, text in asked.items() if digest not in known]
            for start in range(0, len(missing), BATCH):
                batch = missing[start : start + BATCH]
                vectors = _ask_patiently(ask, [text for _, text in batch])
                for (digest, _), vector in zip(batch, vectors, strict=True):
                    known[digest] = np.asarray(vector, dtype=np.float32)
                    store.execute("INSERT OR REPLACE INTO vector VALUES (?, ?)", (digest, known[digest].tobytes()))
                store.commit()
        return np.vstack([known[digest] for digest in digests]) if digests else np.zeros((0, self.embedder.dims))


def _ask_patiently(ask: Any, texts: Sequence[str]) -> np.ndarray:
    from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable

    for number in range(1, TRIES + 1):
        try:
            return ask(texts)
        except (EmbedderUnavailable, EmbedderMisbehaves) as error:
            if number == TRIES:
                raise
            sys.stderr.write(f"{error.detail} Try {number} of {TRIES}.\n")
            time.sleep(2**number)
    raise AssertionError("the last try returns or raises")
