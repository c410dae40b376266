"""Loading made-up articles from Markdown files through `ingest --initial`: speed, and whether memory stays constant."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.report import Report

WORDS = 300
SMALL_SHARE = 5
FILES_A_FOLDER = 500


def run(options: argparse.Namespace) -> Report:
    """Two loads, each in a process of its own: a fifth of the articles, then all of them."""
    from bench.corpus import make_texts

    report = Report("ingest")
    rows = []
    peaks = []
    rate = 0.0
    with tempfile.TemporaryDirectory() as name:
        for count in (max(options.articles // SMALL_SHARE, 1), options.articles):
            folder = Path(name) / str(count)
            report.say(f"writing {count} articles of about {WORDS} words")
            write_articles(folder, (text.text for text in make_texts(count, words=WORDS)))
            report.say(f"loading {count} articles")
            own_cpu, wall, peak = load(folder, f"w{count}")
            rate = count / own_cpu
            peaks.append(peak)
            rows.append((count, wall, own_cpu, count / wall, rate, peak / 1024))
    report.table(("articles", "wall s", "CPU s", "articles/s", "articles/s a core", "peak MB"), rows)
    report.figure("articles_per_second_per_core", rate, at_least=200)
    report.figure("memory_growth", peaks[1] / peaks[0], at_most=1.3)
    return report


def write_articles(folder: Path, bodies: Iterator[str]) -> None:
    """One Markdown file with front matter an article."""
    for number, body in enumerate(bodies):
        place = folder / f"{number // FILES_A_FOLDER:04d}"
        place.mkdir(parents=True, exist_ok=True)
        half = len(body) // 2
        cut = body.find(" ", half)
        head = f"---\nslug: a{number}\ntitle: Article {number}\ntype: article\nlanguage: en\ntags: [made-up]\n---\n"
        (place / f"a{number}.md").write_text(f"{head}\n{body[:cut]}.\n\n{body[cut + 1 :]}.\n", encoding="utf-8")


def load(folder: Path, world: str) -> tuple[float, float, float]:
    """CPU seconds of the loading process, wall seconds, and its peak memory in KB."""
    script = (
        "import os, resource; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'memoryproject.settings');"
        "import django; django.setup();"
        "from django.core.management import call_command;"
        "import time; start = time.perf_counter(); before = time.process_time();"
        f"call_command('ingest', {str(folder)!r}, world={world!r}, tenant='bench', domain='lore', initial=True,"
        " verbosity=0);"
        "print(time.process_time() - before, time.perf_counter() - start,"
        " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE, text=True)
    cpu, wall, peak = map(float, done.stdout.split()[-3:])
    return cpu, wall, peak
