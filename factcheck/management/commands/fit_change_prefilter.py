"""`manage.py fit_change_prefilter`: which messages may change what is known, from labelled lines."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.corrections.change_fit.cases import FOLDS, KEPT_FOLD
from factcheck.corrections.change_fit.lines import read_rows
from factcheck.instant.core.change_prefilter import (
    CHANGING,
    SHIPPED_PREFILTER,
    ChangePrefilter,
    read_prefilter,
    save_prefilter,
)
from factcheck.instant.core.hearing_model import load_shipped_model
from factcheck.instant.core.labelled_lines import read_labelled_lines
from factcheck.instant.core.network_fit import fit_network
from factcheck.instant.core.questions import join_questions
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.tagged_words import open_with
from factcheck.instant.tagger import LayerTagger, load_tagger

STATEMENT_STEP, TALK_STEP = 8, 2
"""Of the many lines that state something every eighth is enough, of ordinary talk every second."""
SHARE_LET_THROUGH = 0.1
"""Of statements and ordinary talk that was kept apart: so many of them layers read once more for nothing."""
Row = tuple[str, bool]
"""A text as the layers read it, and whether it changes something."""


class Command(BaseCommand):
    """It takes some minutes of a processor and needs no torch. A tenth of the lines is kept apart for the limit."""

    help = "Fit what tells which messages layers read for changes of mind, to the lines of qa/changes and qa/facts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which lines, and where the weights go."""
        parser.add_argument("files", nargs="*", type=Path, help="Files of lines; else those of qa/changes/lines.")
        parser.add_argument("--output", type=Path, default=SHIPPED_PREFILTER, help="Where the weights are written.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fits, prints and writes."""
        tagger = load_tagger(load_shipped_model())
        if tagger is None:
            raise CommandError("The layers of hearing do not run here, and the weights are fitted to their states.")
        qa = Path(settings.BASE_DIR) / "qa"
        try:
            changes = list(dict.fromkeys(_list_changes(options["files"] or (qa / "changes" / "lines").glob("*.jsonl"))))
            others = list(dict.fromkeys(_list_others(sorted((qa / "facts").glob("*.jsonl")))))
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"The lines cannot be read: {error!r}") from error
        if not any(is_changing for _, is_changing in changes) or not others:
            raise CommandError("There are no lines of both kinds.")
        prefilter = self._fit([*changes, *others], others, tagger)
        save_prefilter(prefilter, options["output"])
        prefilter = read_prefilter(options["output"])
        kept = [each for each in changes if _is_kept(each[0]) and each[1]]
        found = np.array(prefilter.score(_read_means(tagger, [text for text, _ in kept]))) >= prefilter.limit
        self.stdout.write(f"{found.sum()} of {len(found)} changes kept apart are let through")

    def _fit(self, rows: list[Row], others: list[Row], tagger: LayerTagger) -> ChangePrefilter:
        fitted = [each for each in rows if not _is_kept(each[0])]
        self.stdout.write(
            f"{len(fitted)} texts, {sum(is_changing for _, is_changing in fitted)} of them change something"
        )
        means = _read_means(tagger, [text for text, _ in fitted])
        labels = np.array([[is_changing] for _, is_changing in fitted], dtype=np.float32)
        prefilter = ChangePrefilter(tagger.model.version, fit_network(means, labels, (CHANGING,)), 0.0)
        kept = [text for text, _ in others if _is_kept(text)]
        scores = prefilter.score(_read_means(tagger, kept))
        return replace(prefilter, limit=round(float(np.quantile(scores, 1 - SHARE_LET_THROUGH)), 3))


def _read_means(tagger: LayerTagger, texts: Sequence[str]) -> Array:
    """Shape (texts, dims)."""
    with ThreadPoolExecutor(os.cpu_count()) as readers:
        return np.stack(list(readers.map(lambda text: tagger.tag(text).mean, texts)))


def _list_changes(paths: Iterable[Path]) -> Iterator[Row]:
    """Messages beside what is known, without a question and behind one."""
    for path in sorted(paths):
        for row in read_rows(path):
            is_changing = row["change"] != "stays"
            yield row["message"], is_changing
            question = join_questions(row["asked"])
            if question:
                yield open_with(question) + row["message"], is_changing


def _list_others(paths: Iterable[Path]) -> Iterator[Row]:
    lines = read_labelled_lines(list(paths), with_answers=True)
    stating = [line for line in lines if line.expected][::STATEMENT_STEP]
    for line in (*stating, *[line for line in lines if not line.expected][::TALK_STEP]):
        yield open_with(join_questions(line.previous)) + line.text, False


def _is_kept(text: str) -> bool:
    """Whether no weight is fitted to it; a message goes with itself behind a question."""
    return zlib.crc32(text.rpartition("\n")[2].encode()) % FOLDS == KEPT_FOLD
