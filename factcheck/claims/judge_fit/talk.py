"""Talk around what replies say: characters greet, joke and complain, and only a part of a reply is about canon."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from factcheck.claims.core.judged_cases import MAX_REPLY_WORDS, list_runs
from factcheck.claims.judge_fit.cases import LabelledCase
from knowledge.text.language import detect_language

WRAPPED_SHARE = 0.7
"""Of the replies. The rest is fitted as it was written."""
SIDE_SHARE = 0.75
"""Of the wrapped replies, those with talk before, and those with talk behind."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Words that no article can deny; either may be empty."""

    before: str
    after: str


def read_talk(folder: Path) -> dict[str, Sequence[Talk]]:
    """The talk of each language, from `LANGUAGE.jsonl`."""
    return {
        path.stem: [Talk(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
        for path in sorted(folder.glob("*.jsonl"))
    }


def wrap_replies(cases: Iterable[LabelledCase], talk: Mapping[str, Sequence[Talk]]) -> Iterator[LabelledCase]:
    """The cases, most of them with talk around the reply, which is of its language and differs from case to case.

    Whether the passage denies a reply is as before. None grows longer than the judge reads at once.
    """
    for case in cases:
        of_language = talk.get(detect_language(case.case.reply), ())
        yield _wrap(case, of_language) if of_language else case


def _wrap(case: LabelledCase, talk: Sequence[Talk]) -> LabelledCase:
    said = case.case.reply
    chooser = np.random.default_rng(zlib.crc32(f"{case.case.passage}{case.case.question}{said}".encode()))
    if chooser.random() >= WRAPPED_SHARE:
        return case
    before, after = (talk[int(chooser.integers(len(talk)))] for _ in range(2))
    has_before, has_after = chooser.random(2) < SIDE_SHARE
    for parts in (
        (before.before if has_before else "", said, after.after if has_after else ""),
        ("", said, after.after),
        (before.before, said, ""),
    ):
        wrapped = " ".join(part for part in parts if part)
        if wrapped != said and len(list(list_runs(wrapped, MAX_REPLY_WORDS))) == 1:
            return replace(case, case=replace(case.case, reply=wrapped))
    return case
