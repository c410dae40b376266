"""Golden talks as proposers get them. Form of the lines: ``qa/extraction/golden/README.md``."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factcheck.extraction.core.given import Given, GivenFact, GivenMessage
from factcheck.instant.core.labelled_lines import SAID_AT, Expected
from knowledge.facts.core.types import PROTECTED_TYPES

_KNOWN_SINCE = dt.timedelta(days=30)
_BETWEEN_MESSAGES = dt.timedelta(minutes=1)
_BETWEEN_SESSIONS = dt.timedelta(days=2)


@dataclass(frozen=True, slots=True)
class GoldenCase:
    """A talk, what is known before it, and what must be accepted of what is proposed."""

    id: str
    language: str
    given: Given
    expected: tuple[Expected, ...]
    name: str = ""


def read_cases(paths: Iterable[Path]) -> list[GoldenCase]:
    """The cases of files. Raises OSError, ValueError, KeyError."""
    rows = [row for path in paths for row in path.read_text(encoding="utf-8").splitlines() if row.strip()]
    return [_read_case(json.loads(row)) for row in rows]


def build_given(messages: Sequence[Mapping[str, Any]], facts: Sequence[GivenFact] = (), *, language: str) -> Given:
    """Messages of `role`, `text` and optional `session` as one range, all of it new, a minute apart."""
    built, said_at, session = [], SAID_AT, 0
    for seq, each in enumerate(messages, 1):
        if each.get("session", session) != session:
            session, said_at = each["session"], said_at + _BETWEEN_SESSIONS
        built.append(
            GivenMessage(
                id=seq, conversation_id=1, seq=seq, role=each.get("role", "user"), content=each["text"],
                frame=each.get("frame", "unknown"), language=language, said_at=said_at, session=session,
            )
        )  # fmt: skip
        said_at += _BETWEEN_MESSAGES
    return Given(tuple(built), tuple(facts))


def make_known(place: int, type_: str, key: str, value: str, *, said_at: dt.datetime | None = None) -> GivenFact:
    """A fact that is known before a case, of a month ago where nothing else is said."""
    is_protected = type_ in PROTECTED_TYPES
    return GivenFact(
        place, type_, key, value, "instant_pattern", 0.95, said_at or SAID_AT - _KNOWN_SINCE, is_protected=is_protected
    )


def _read_case(row: Mapping[str, Any]) -> GoldenCase:
    known = [
        make_known(place, each["type"], each["key"], each["value"])
        for place, each in enumerate(row.get("known", ()), 1)
    ]
    given = build_given(row["messages"], known, language=row["language"])
    return GoldenCase(row["id"], row["language"], given, tuple(row["expect"]), row.get("case", ""))
