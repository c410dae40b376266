"""Cases of messages with what must be understood of them: the files of `qa/facts`."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from django.conf import settings

from factcheck.errors import CasesInvalid


def list_case_files() -> list[str]:
    """The names of the files; none where the folder is not installed."""
    folder = _folder()
    return sorted(path.stem for path in folder.glob("*.jsonl")) if folder.is_dir() else []


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
    """What people say without stating a fact: the cases of which nothing must be understood."""
    return tuple(case["text"] for name in list_case_files() for case in read_cases(name) if case.get("facts") == [])


def _folder() -> Path:
    return Path(settings.BASE_DIR) / "qa" / "facts"
