"""Cases of messages with what must be understood of them: the files of `qa/facts`."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from factcheck.errors import CasesInvalid
from factcheck.instant.core.corrections import KnownFact
from factcheck.instant.core.trial import Case, describe_facts, describe_outcome

MEASURED_FILES = (
    "everyday",
    "everyday-zh",
    "instructions",
    "instructions_apart",
    "statements",
    "statements-agreeing",
    "statements-guards",
    "statements-answers",
    "statements-asked",
    "statements-decoys",
    "statements-dialects",
    "statements-events",
    "statements-natural",
    "statements-plain",
    "statements-replies",
    "statements-short",
    "statements-spans",
    "statements-twins",
    "statements-typed",
    "statements-voices",
    "statements-wide",
    "survival",
)
"""Files of lines that are measured or fitted to as a whole, by `bench` and `fit_…`, not one by one."""


def list_case_files() -> list[str]:
    """The names of the files; none where the folder is not installed."""
    folder = _folder()
    names = (path.stem for path in folder.glob("*.jsonl")) if folder.is_dir() else ()
    return sorted(name for name in names if name not in MEASURED_FILES)


def read_cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file. Raises CasesInvalid for a name that is not listed or a line that is not JSON."""
    if name not in list_case_files():
        raise CasesInvalid(f"There is no case file {name[:60]!r}.")
    cases = []
    for number, line in enumerate((_folder() / f"{name}.jsonl").read_text(encoding="utf-8").splitlines(), start=1):
        try:
            case = json.loads(line)
        except ValueError as error:
            raise CasesInvalid(f"Line {number} of {name} is not JSON: {error}") from error
        if not isinstance(case, dict) or not isinstance(case.get("text"), str):
            raise CasesInvalid(f"Line {number} of {name} is no case: it needs a text.")
        cases.append(case)
    return cases


@functools.lru_cache(maxsize=1)
def read_neutral_texts() -> tuple[str, ...]:
    """What people say without stating a fact: ordinary talk, and the cases of which nothing must be understood."""
    cases = [case["text"] for name in list_case_files() for case in read_cases(name) if case.get("facts") == []]
    return (*cases, *_list_ordinary_talk())


def _list_ordinary_talk() -> list[str]:
    path = _folder() / "statements.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [line["text"] for line in map(json.loads, lines) if line.get("category") == "neg_ordinary"]


def describe_case(raw: Mapping[str, Any]) -> Case:
    """A line of a file as the core tries it; lines about corrections bring what is known and was said before."""
    if "known" in raw and isinstance(raw.get("expect"), str):
        return _describe_survival(raw)
    is_correction = "outcome" in raw
    outcome = raw.get("outcome")
    if is_correction:
        expected = frozenset({describe_outcome(outcome, raw.get("about", ()))}) if outcome else frozenset()
    else:
        expected = describe_facts(raw.get("facts", ()))
    return Case(
        text=raw["text"],
        name=str(raw.get("id", "")),
        mode=raw.get("frame", "unknown"),
        previous=raw.get("previous", ""),
        known=tuple(KnownFact(id=place, **fact) for place, fact in enumerate(raw.get("known", ()))),
        expected=expected,
    )


def _describe_survival(raw: Mapping[str, Any]) -> Case:
    """A line of `survival.jsonl`: what is known must survive the message, or end by it."""
    said = [each["text"] for each in raw.get("context", ()) if each["role"] == "assistant"]
    return Case(
        text=raw["text"],
        name=str(raw.get("id", "")),
        previous=said[-1] if said else "",
        known=tuple(KnownFact(id=place, **fact) for place, fact in enumerate(raw["known"])),
        survives=raw["expect"],
        about=tuple(raw.get("about", ())),
    )


def _folder() -> Path:
    return Path(settings.BASE_DIR) / "qa" / "facts"
