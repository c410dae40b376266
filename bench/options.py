"""The options of each benchmark, apart from the benchmarks: those import Django, which must not be set up yet."""

from __future__ import annotations

import argparse
from pathlib import Path

NAMES = {
    "search": "hybrid search at 10,000 and 100,000 passages against bare SQL, ts_rank_cd and an exact BM25",
    "ingest": "loading articles: how many a second, and whether memory stays constant",
    "swap": "swap and rollback at 1,000 and 100,000 passages",
    "quality": "recall@10, hit@1 and MRR of bm25, vector, rrf and convex over BEIR-like folders",
}
QUALITY_MODES = ("bm25", "vector", "rrf", "convex")


def parse_options(name: str, arguments: list[str]) -> argparse.Namespace:
    """One benchmark's options; exits with a usage message when they are wrong."""
    parser = argparse.ArgumentParser(prog=f"python -m bench {name}", description=NAMES[name])
    parser.add_argument("--json", type=Path, dest="json_path", metavar="FILE", help="write the figures there")
    if name == "search":
        parser.add_argument("--small", type=int, default=10_000, help="passages of the small world")
        parser.add_argument("--large", type=int, default=100_000, help="passages of the large world")
        parser.add_argument("--queries", type=int, default=100)
    elif name == "ingest":
        parser.add_argument("--articles", type=int, default=10_000)
    elif name == "swap":
        parser.add_argument("--small", type=int, default=1_000)
        parser.add_argument("--large", type=int, default=100_000)
    else:
        parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
        parser.add_argument(
            "--embeddings", metavar="URL", help="an OpenAI-compatible endpoint, for example http://127.0.0.1:8099/v1"
        )
        parser.add_argument("--dims", type=int, help="dimensions to ask for (default: of config/knowledge.yaml)")
        parser.add_argument("--modes", nargs="+", choices=QUALITY_MODES, default=list(QUALITY_MODES))
    return parser.parse_args(arguments)
