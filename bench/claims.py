"""How many false replies of characters are caught, and how many true ones are called false."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.report import Report
from factcheck.claims.core.replies.canon import Canon, CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import RuleCheck, check_reply_by_rules
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.witness import (
    Testimony,
    ToldPassage,
    WitnessedClaim,
    judge_claims,
    read_claims,
)
from factcheck.claims.judge import ReplyJudge, find_judge, weigh_judgements
from factcheck.management.commands.fit_judge import MAX_CARELESS

FOLDER = Path(__file__).resolve().parents[1] / "qa" / "claims"
MIN_RECALL = 0.40
MAX_FALSE_ALARMS = 0.01
"""Of the replies that canon does not deny."""


@dataclass
class Case:
    """A reply with what canon its speaker was told of."""

    row: dict[str, Any]
    canon: Canon

    @property
    def is_false(self) -> bool:
        """Whether canon says otherwise."""
        return bool(self.row["contradicts"])


def load_world(replies: Path, articles: Path) -> list[Case]:
    """The replies of a file, each with the canon of the articles that its speaker was told of."""
    lexicon = load_lexicon()
    known = {
        each["slug"]: CanonArticle(
            slug=each["slug"],
            title=each["title"],
            text=each["text"],
            aliases=tuple(each["aliases"]),
            fields=each.get("fields", {}),
        )
        for each in json.loads(articles.read_text(encoding="utf-8"))
    }
    rows = [json.loads(line) for line in replies.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Case(row, build_canon([known[slug] for slug in row["told"]], lexicon)) for row in rows]


def is_caught(case: Case) -> bool:
    """Whether the rules find a contradiction in the reply."""
    return bool(list_caught(case))


def list_caught(case: Case) -> set[str]:
    """The parts of the reply in which they find one."""
    return {each.quote for each in _check_by_rules(case).contradictions}


def _check_by_rules(case: Case) -> RuleCheck:
    row = case.row
    return check_reply_by_rules(
        row["reply"], question=row["question"], canon=case.canon, told=row["told"], lexicon=load_lexicon()
    )


def list_denied(case: Case, judge: ReplyJudge) -> set[str]:
    """The parts of the reply in which the rules and the judge together find a contradiction."""
    row = case.row
    passages = [ToldPassage(each.slug, each.title, each.text) for each in case.canon.articles]
    found: dict[str, str | None] = {each.quote: each.canon_quote for each in _check_by_rules(case).contradictions}
    judgements = judge.judge_reply(row["reply"], question=row["question"], passages=passages)
    weighed = weigh_judgements(judgements, judge.model.limits, found)
    return {each.quote for each in weighed.denied} | (found.keys() - weighed.refuted)


def is_borne_out(case: Case, claims: Sequence[WitnessedClaim], judge: ReplyJudge | None = None) -> bool:
    """Whether the gate lets any claim of a model through."""
    return bool(read_testimony(case, claims, judge).findings)


def read_testimony(case: Case, claims: Sequence[WitnessedClaim], judge: ReplyJudge | None) -> Testimony:
    """What the gate makes of the claims of a model."""
    row = case.row
    articles = case.canon.articles
    return judge_claims(
        claims,
        reply=row["reply"],
        question=row["question"],
        passages=[ToldPassage(article.slug, article.title, article.text) for article in articles],
        articles=articles,
        lexicon=load_lexicon(),
        judge=judge,
    )


def _testify_rightly(case: Case) -> list[WitnessedClaim]:
    """What a model says that quotes both sides of the contradiction."""
    row = case.row
    slugs = [article.slug for article in case.canon.articles]
    passage = slugs.index(row["slug"]) + 1 if row["slug"] in slugs else 0
    return [WitnessedClaim(row["quote"], passage, row["canon_quote"], "contradicts")]


def run(options: argparse.Namespace) -> Report:
    """Recall and false alarms by language, and every reply that went wrong."""
    report = Report("claims")
    judge = find_judge() if options.by == "both" else None
    if options.by == "both" and judge is None:
        raise SystemExit("The judge does not run here: see the log above.")
    for path in options.files or [*sorted(FOLDER.glob("*.jsonl")), *sorted((FOLDER / "apart").glob("*.jsonl"))]:
        articles = options.articles or path.with_name(f"{path.stem}_articles.json")
        _measure(report, path.stem, load_world(path, articles), judge, path.parent)
    return report


def _measure(report: Report, world: str, cases: list[Case], judge: ReplyJudge | None, folder: Path) -> None:
    counts: Counter[tuple[str, bool, bool]] = Counter()
    wrong = []
    part = "rules" if judge is None else "both"
    started = time.perf_counter()
    denied = [list_caught(case) if judge is None else list_denied(case, judge) for case in cases]
    elapsed = time.perf_counter() - started
    for case, parts in zip(cases, denied, strict=True):
        row, is_found = case.row, bool(parts)
        counts[row["language"], case.is_false, is_found] += 1
        if is_found != case.is_false:
            wrong.append(("missed" if case.is_false else "FALSE ALARM", row["id"], row["question"], row["reply"]))
    report.table((f"{part}, {world}", "id", "question", "reply"), wrong)
    rows = []
    for language in sorted({key[0] for key in counts}):
        false = counts[language, True, True], counts[language, True, False]
        true = counts[language, False, True], counts[language, False, False]
        rows.append((language, sum(false), false[0] / max(sum(false), 1), sum(true), true[0]))
    report.table(("language", "false replies", "recall", "true replies", "false alarms"), rows)
    report.say(f"{world}: {elapsed / max(len(cases), 1) * 1000:.1f} ms a reply, canon read before")
    _report_figures(report, f"{world}.{part}", cases, list(map(bool, denied)))
    _measure_witnesses(report, world, cases, denied, judge, folder)


def _report_figures(report: Report, name: str, cases: list[Case], found: Sequence[bool]) -> None:
    false = [hit for case, hit in zip(cases, found, strict=True) if case.is_false]
    true = [hit for case, hit in zip(cases, found, strict=True) if not case.is_false]
    report.figure(f"{name}.recall", sum(false) / max(len(false), 1), at_least=MIN_RECALL)
    report.figure(f"{name}.false_alarms", sum(true) / max(len(true), 1), at_most=MAX_FALSE_ALARMS)


def _measure_witnesses(
    report: Report, world: str, cases: list[Case], denied: list[set[str]], judge: ReplyJudge | None, folder: Path
) -> None:
    """What the gate makes of right quotes and, where they are kept, of a model's answers and a careless one's; and what
    rules, judge and model find together.
    """
    quoted = [case for case in cases if case.is_false and "canon_quote" in case.row]
    rightly = sum(is_borne_out(case, _testify_rightly(case), judge) for case in quoted)
    report.say(f"{world}: of {len(quoted)} contradictions that are quoted rightly the gate lets {rightly} through")
    answers = _read_answers(folder / "witness" / f"{world}.jsonl")
    if answers:
        heard = [read_testimony(case, answers[case.row["id"]], judge) for case in cases]
        _report_figures(report, f"{world}.gate", cases, [bool(each.findings) for each in heard])
        together = [
            bool(each.findings) or any(not each.is_believed or each.names(part) for part in parts)
            for each, parts in zip(heard, denied, strict=True)
        ]
        _report_figures(report, f"{world}.with_model", cases, together)
    mistakes = _read_answers(folder / "careless" / f"{world}.jsonl")
    if mistakes:
        true = [case for case in cases if not case.is_false]
        passed = sum(is_borne_out(case, mistakes[case.row["id"]], judge) for case in true)
        report.figure(f"{world}.gate.careless", passed / max(len(true), 1), at_most=MAX_CARELESS)


def _read_answers(path: Path) -> dict[str, Sequence[WitnessedClaim]]:
    """The recorded answers of a model by the id of the reply; empty where there is no file."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: read_claims(row) or () for row in rows}
