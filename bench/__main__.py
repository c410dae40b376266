"""`python -m bench NAME [args]` runs one benchmark on embedded services of its own; `all`, those that need no data."""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from contextlib import nullcontext

from bench.options import NAMES, NEED_DATA, PURE, parse_options
from bench.services import own_services


def main(arguments: list[str]) -> int:
    """The exit code: 0 when every figure is within its limit."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.epilog = "\n".join(f"{name:8} {what}" for name, what in NAMES.items())
    parser.add_argument("name", choices=[*NAMES, "all"], metavar="NAME")
    parser.add_argument(
        "rest", nargs=argparse.REMAINDER, metavar="…", help="the benchmark's own options (try NAME --help)"
    )
    chosen = parser.parse_args(arguments)
    if chosen.name == "all":
        return max(
            subprocess.run([sys.executable, "-m", "bench", name], check=False).returncode
            for name in NAMES
            if name not in NEED_DATA
        )
    options = parse_options(chosen.name, chosen.rest)
    services = own_services(
        getattr(options, "embeddings", None), getattr(options, "dims", None), getattr(options, "embedder", "hashing")
    )
    with nullcontext() if _is_pure(chosen.name, options) else services:
        report = importlib.import_module(f"bench.{chosen.name}").run(options)
    report.json_path = options.json_path
    return report.finish()


def _is_pure(name: str, options: argparse.Namespace) -> bool:
    """Whether the benchmark needs no services; `stories` by the parts that are asked for."""
    if name == "stories":
        from bench.stories import PURE_PARTS

        return set(options.parts) <= PURE_PARTS
    return name in PURE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
