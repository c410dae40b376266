"""How many false replies of characters are caught, and how many true ones are called false."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.report import Report
from factcheck.claims.core.replies.canon import Canon, CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import RuleCheck, check_reply_by_rules
from factcheck.claims.core.replies.clauses import split_clauses
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.witness import ToldPassage, WitnessedClaim, judge_claims
from factcheck.claims.judge import ReplyJudge, find_judge, weigh_judgements
from factcheck.core.sentences import split_sentences

FOLDER = Path(__file__).resolve().parents[1] / "qa" / "claims"
MIN_RECALL = 0.40
MAX_FALSE_ALARMS = 0.01
"""Of the replies that canon does not deny."""


@dataclass
class Case:
    """A reply with what canon its speaker was told of."""

    row: dict[str, Any]
    canon: Canon


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
    return bool(_check_by_rules(case).contradictions)


def _check_by_rules(case: Case) -> RuleCheck:
    row = case.row
    return check_reply_by_rules(
        row["reply"], question=row["question"], canon=case.canon, told=row["told"], lexicon=load_lexicon()
    )


def is_denied(case: Case, judge: ReplyJudge) -> bool:
    """Whether the rules and the judge together find a contradiction in the reply."""
    row = case.row
    passages = [ToldPassage(each.slug, each.title, each.text) for each in case.canon.articles]
    found: dict[str, str | None] = {each.quote: each.canon_quote for each in _check_by_rules(case).contradictions}
    judgements = judge.judge_reply(row["reply"], question=row["question"], passages=passages)
    weighed = weigh_judgements(judgements, judge.model.limits, found)
    return bool(weighed.denied or found.keys() - weighed.refuted)


def is_borne_out(case: Case, claims: list[WitnessedClaim]) -> bool:
    """Whether the gate lets any claim of a model through."""
    row = case.row
    articles = case.canon.articles
    testimony = judge_claims(
        claims,
        reply=row["reply"],
        question=row["question"],
        passages=[ToldPassage(article.slug, article.title, article.text) for article in articles],
        articles=articles,
        lexicon=load_lexicon(),
    )
    return bool(testimony.findings)


def _testify_rightly(case: Case) -> list[WitnessedClaim]:
    """What a model says that quotes both sides of the contradiction."""
    row = case.row
    slugs = [article.slug for article in case.canon.articles]
    passage = slugs.index(row["slug"]) + 1 if row["slug"] in slugs else 0
    return [WitnessedClaim(row["quote"], passage, row["canon_quote"], "contradicts")]


def _claim_everything(case: Case) -> list[WitnessedClaim]:
    """What a model says that sees a contradiction between every clause and every sentence."""
    return [
        WitnessedClaim(clause.quote, number, sentence, "contradicts")
        for clause in split_clauses(case.row["reply"], load_lexicon())
        for number, article in enumerate(case.canon.articles, start=1)
        for sentence in split_sentences(article.text)
    ]


def run(options: argparse.Namespace) -> Report:
    """Recall and false alarms by language, and every reply that went wrong."""
    report = Report("claims")
    judge = find_judge() if options.by == "both" else None
    if options.by == "both" and judge is None:
        raise SystemExit("The judge does not run here: see the log above.")
    for path in options.files or sorted(FOLDER.glob("*.jsonl")):
        articles = options.articles or path.with_name(f"{path.stem}_articles.json")
        _measure(report, path.stem, load_world(path, articles), judge)
    return report


def _measure(report: Report, world: str, cases: list[Case], judge: ReplyJudge | None) -> None:
    counts: Counter[tuple[str, bool, bool]] = Counter()
    wrong = []
    part = "rules" if judge is None else "both"
    started = time.perf_counter()
    verdicts = [is_caught(case) if judge is None else is_denied(case, judge) for case in cases]
    elapsed = time.perf_counter() - started
    for case, is_found in zip(cases, verdicts, strict=True):
        row, is_false = case.row, bool(case.row["contradicts"])
        counts[row["language"], is_false, is_found] += 1
        if is_found != is_false:
            wrong.append(("missed" if is_false else "FALSE ALARM", row["id"], row["question"], row["reply"]))
    report.table((f"{part}, {world}", "id", "question", "reply"), wrong)
    rows = []
    for language in sorted({key[0] for key in counts}):
        false = counts[language, True, True], counts[language, True, False]
        true = counts[language, False, True], counts[language, False, False]
        rows.append((language, sum(false), false[0] / max(sum(false), 1), sum(true), true[0]))
    report.table(("language", "false replies", "recall", "true replies", "false alarms"), rows)
    caught = sum(count for (_, is_false, hit), count in counts.items() if is_false and hit)
    alarms = sum(count for (_, is_false, hit), count in counts.items() if not is_false and hit)
    denied = sum(count for (_, is_false, _), count in counts.items() if is_false)
    heard = [case for case in cases if case.row["contradicts"] and "canon_quote" in case.row]
    let_through = sum(is_borne_out(case, _testify_rightly(case)) for case in heard)
    report.say(
        f"{world}: of {len(heard)} contradictions that a model quotes rightly the gate lets {let_through} through"
    )
    alarmed = sum(is_borne_out(case, _claim_everything(case)) for case in cases if not case.row["contradicts"])
    report.say(f"{world}: {elapsed / max(len(cases), 1) * 1000:.1f} ms a reply, canon read before")
    report.figure(f"{world}.gate.false_alarms", alarmed, at_most=0)
    report.figure(f"{world}.{part}.recall", caught / max(denied, 1), at_least=MIN_RECALL)
    report.figure(f"{world}.{part}.false_alarms", alarms / max(len(cases) - denied, 1), at_most=MAX_FALSE_ALARMS)
