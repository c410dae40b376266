"""SemVer of a chunk: patch for form, minor for wording, major where the meaning may have changed."""

from __future__ import annotations

import re
from collections import Counter

from knowledge.text.analysis import analyse

FIRST_VERSION = "1.0.0"
SHARED_LEAST = 0.6
_HAS_DIGIT = re.compile(r"\d")


def next_version(version: str, old: str, new: str) -> str:
    """The version of a chunk that continues another one."""
    major, minor, patch = (int(part) for part in version.split("."))
    before, after = Counter(analyse(old)), Counter(analyse(new))
    if before == after:
        return f"{major}.{minor}.{patch + 1}"
    if _numbers(before) != _numbers(after) or _shared(before, after) < SHARED_LEAST:
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0"


def _numbers(lexemes: Counter[str]) -> dict[str, int]:
    return {lexeme: count for lexeme, count in lexemes.items() if _HAS_DIGIT.search(lexeme)}


def _shared(before: Counter[str], after: Counter[str]) -> float:
    return (before & after).total() / max((before | after).total(), 1)
