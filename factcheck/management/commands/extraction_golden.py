"""`manage.py extraction_golden`: what a proposer, or another version of its prompts, makes of the golden talks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.extraction.core.deltas import parse_deltas
from factcheck.extraction.core.gate import GateRules, check_deltas
from factcheck.extraction.golden.cases import GoldenCase, read_cases
from factcheck.extraction.golden.scores import ALL, Judged, judge_case, list_worse, sum_scores
from factcheck.extraction.proposers.base import Proposal, Proposer, ProposerError
from factcheck.extraction.proposers.offline.proposer import OfflineProposer
from factcheck.extraction.proposers.prompts import (
    FILENAME,
    ExtractionPrompt,
    parse_extraction_file,
    read_extraction_prompts,
)
from factcheck.extraction.proposers.registry import OFFLINE, OPENAI, find_chat_proposer
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.scorer import get_scorer
from knowledge.text.languages import HEARD_LANGUAGES
from memoryproject.config_files import ConfigError

EXAMPLES = {"with": True, "without": False}


@dataclass
class Answers:
    """Answers by case and version of the prompt: written to a file, and read from one instead of asking again."""

    known: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    output: Path | None = None

    def find(self, case: str, version: str) -> dict[str, Any] | None:
        """What was answered before."""
        return self.known.get((case, version))

    def keep(self, case: str, version: str, proposal: Proposal) -> None:
        """Adds a line to the file."""
        if self.output is None:
            return
        row = {
            "case": case, "prompt": version, "answer": json.loads(proposal.answer), "cost": proposal.cost,
            "prompt_tokens": proposal.prompt_tokens, "completion_tokens": proposal.completion_tokens,
        }  # fmt: skip
        with self.output.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


@dataclass
class Tried:
    """One version of the prompts over all cases."""

    label: str
    version: str
    judged: list[Judged] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    tokens: int = 0
    cost: float = 0.0


class Command(BaseCommand):
    """Ends with 1 where a compared prompt is worse in a language, or where nothing was answered."""

    help = "Run a proposer over the golden talks, through the gate; compare two versions of its prompts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which cases, which proposer, which prompts."""
        folder = Path(settings.BASE_DIR) / "qa" / "extraction" / "golden"
        cases = [folder / f"{code}.jsonl" for code in HEARD_LANGUAGES]
        parser.add_argument("--cases", type=Path, nargs="+", default=cases)
        parser.add_argument("--proposer", choices=(OPENAI, OFFLINE), help="Else the one of EXTRACTION_PROPOSER.")
        parser.add_argument(
            "--prompt", type=Path, help="A folder like config/prompts, or one extraction.yaml in its language's folder."
        )
        parser.add_argument("--against", type=Path, help="Another folder; with --prompt else the one that is in use.")
        parser.add_argument(
            "--examples", choices=(*EXAMPLES, "both"), help="Few-shot examples, whatever the prompts say of them."
        )
        parser.add_argument("--record", type=Path, metavar="FILE", help="Add every answer to this file.")
        parser.add_argument("--replay", type=Path, metavar="FILE", help="Take answers from this file, ask for none.")
        parser.add_argument("--show", action="store_true", help="Print what was wrong, missed and stopped.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the figures of each version."""
        try:
            cases = read_cases(options["cases"])
            proposers = self._list_proposers(options)
            answers = _read_answers(options)
        except (OSError, ValueError, KeyError, ConfigError) as error:
            raise CommandError(f"It cannot be read: {error}") from error
        tried = [self._try(label, proposer, cases, answers, options) for label, proposer in proposers.items()]
        for each in tried:
            self._print(each, show=options["show"])
        if any(len(each.failed) == len(cases) for each in tried):
            raise CommandError("Nothing was answered.")
        if len(tried) > 1:
            self._compare(tried)

    def _list_proposers(self, options: Mapping[str, Any]) -> dict[str, Proposer]:
        """By label: the one that is asked about first, what it is compared with behind it."""
        proposer = find_chat_proposer(options["proposer"] or settings.EXTRACTION_PROPOSER)
        if proposer is None:
            if options["prompt"] or options["against"] or options["examples"]:
                raise CommandError("The offline proposer has no prompts.")
            return {OFFLINE: OfflineProposer(*load_shipped(), get_scorer())}
        wanted_examples = options["examples"]
        shots: dict[str, bool | None] = {"": None} if wanted_examples is None else {}
        shots |= {name: few_shot for name, few_shot in EXAMPLES.items() if wanted_examples in (name, "both")}
        found: dict[str, Proposer] = {}
        wanted = {"prompt": options["prompt"], "against": options["against"]}
        if wanted["against"] is None or wanted["prompt"] is None:
            wanted["in use"] = Path(settings.PROMPTS_DIR)
        for label, path in wanted.items():
            for shot, few_shot in shots.items():
                if path is not None:
                    name = f"{label} {shot} examples" if shot else label
                    found[name] = replace(proposer, prompts=_read_prompts(path, few_shot=few_shot))
        return found

    def _try(
        self, label: str, proposer: Proposer, cases: Sequence[GoldenCase], answers: Answers, options: Mapping[str, Any]
    ) -> Tried:
        compiled, concepts = load_shipped()
        rules = GateRules(compiled, concepts)
        tried = Tried(label, proposer.prompt_version)
        for case in cases:
            found = answers.find(case.id, tried.version)
            document = found["answer"] if found else None
            if found is None and options["replay"]:
                tried.failed.append(f"{case.id}: no answer in the file for this prompt")
            elif found is None:
                document = self._ask(proposer, case, tried, answers)
            deltas = parse_deltas(document) if document else []
            tried.judged.append(judge_case(case, check_deltas(deltas, case.given, rules), concepts))
        return tried

    def _ask(self, proposer: Proposer, case: GoldenCase, tried: Tried, answers: Answers) -> dict[str, Any] | None:
        """The answer as a document; None where there is none."""
        try:
            proposal = proposer.propose(
                case.given, language=case.language, timeout_seconds=settings.EXTRACTION_TIMEOUT_SECONDS
            )
        except ProposerError as error:
            tried.failed.append(f"{case.id}: {error.code}")
            return None
        tried.tokens += (proposal.prompt_tokens or 0) + (proposal.completion_tokens or 0)
        tried.cost += proposal.cost or 0.0
        answers.keep(case.id, tried.version, proposal)
        document: dict[str, Any] = json.loads(proposal.answer)
        return document

    def _print(self, tried: Tried, *, show: bool) -> None:
        self.stdout.write(
            f"{tried.label}: prompt {tried.version}, {len(tried.judged)} talks, {len(tried.failed)} failed"
        )
        self.stdout.write(f"  {'language':10}{'type':14}{'precision':>10}{'recall':>8}{'right':>7}{'wrong':>7}"
                          f"{'missed':>8}{'stopped':>9}")  # fmt: skip
        for (language, type_), score in sorted(sum_scores(tried.judged).items()):
            if ALL in (language, type_):
                self.stdout.write(
                    f"  {language:10}{type_:14}{score.precision:10.3f}{score.recall:8.3f}{score.right:7}{score.wrong:7}"
                    f"{score.missed:8}{score.stopped:9}"
                )
        self.stdout.write(f"  {tried.tokens} tokens, cost {tried.cost:.4f}")
        for each in tried.judged if show else ():
            if each.wrong or each.missed or each.stopped:
                self.stdout.write(f"  {each.case.id} wrong {each.wrong} missed {each.missed} stopped {each.stopped}")
        for failure in tried.failed if show else ():
            self.stdout.write(f"  failed {failure}")

    def _compare(self, tried: Sequence[Tried]) -> None:
        """The first against all behind it."""
        worse = []
        for other in tried[1:]:
            worse += [f"than {other.label} in {row}" for row in list_worse(tried[0].judged, other.judged)]
        if worse:
            raise CommandError(f"{tried[0].label} is worse " + "; ".join(worse))
        self.stdout.write(f"{tried[0].label} is worse in no language.")


def _read_prompts(path: Path, *, few_shot: bool | None) -> dict[str, ExtractionPrompt]:
    """All languages' prompts; of a single file that language alone is another than what is in use."""
    if path.is_dir():
        return read_extraction_prompts(path, few_shot=few_shot)
    prompts = read_extraction_prompts(Path(settings.PROMPTS_DIR), few_shot=few_shot)
    language = path.parent.name
    if language not in prompts:
        raise ConfigError(f"{path}: its folder must be named by its language: en/{FILENAME}")
    text = path.read_text(encoding="utf-8")
    return prompts | {language: parse_extraction_file(text, language, filename=str(path), few_shot=few_shot)}


def _read_answers(options: Mapping[str, Any]) -> Answers:
    rows = options["replay"].read_text(encoding="utf-8").splitlines() if options["replay"] else []
    known = {(row["case"], row["prompt"]): row for row in map(json.loads, rows)}
    return Answers(known, options["record"])
