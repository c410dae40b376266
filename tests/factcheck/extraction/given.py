"""Ranges of messages as proposers get them, written in a line each."""

from __future__ import annotations

import datetime as dt
import itertools

from factcheck.extraction.core.given import Given, GivenFact, GivenMessage

SAID_AT = dt.datetime(2026, 2, 10, 12, 0, tzinfo=dt.UTC)
_ids = itertools.count(700_001)


def make_given(*rows, facts=(), frame="unknown", conversation_id=90_210):
    """Messages a minute apart: `A: …` is the assistant's, `---` begins another session two days later."""
    messages, session, said_at = [], 0, SAID_AT
    for row in rows:
        if row == "---":
            session, said_at = session + 1, said_at + dt.timedelta(days=2)
            continue
        role = "assistant" if row.startswith("A: ") else "user"
        messages.append(
            GivenMessage(
                id=next(_ids), conversation_id=conversation_id, seq=len(messages) + 1, role=role,
                content=row.removeprefix("A: "), frame=frame, language="en", said_at=said_at, session=session,
            )
        )  # fmt: skip
        said_at += dt.timedelta(minutes=1)
    return Given(tuple(messages), tuple(facts))


def make_known(type_="allergy", key="nuts", value="nuts", *, days=-30, protected=False, disputed=False):
    """A known fact, said so many days from now."""
    return GivenFact(
        id=next(_ids), type=type_, key=key, value=value, source="instant_pattern", confidence=0.95,
        said_at=SAID_AT + dt.timedelta(days=days), is_disputed=disputed, is_protected=protected,
    )  # fmt: skip
