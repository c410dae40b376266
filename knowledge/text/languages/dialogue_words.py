"""What a language says of time, of asking and of persons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class DialogueWords:
    """Regular expressions over normalised text (see `knowledge.text.folding`), without word boundaries of their own.

    `temporal` is a list of words that are compared as lexemes, in whatever form they stand.
    """

    letters: re.Pattern[str]
    """A letter of the script."""
    months: tuple[str, ...]
    """January to December, each in all its forms."""
    seasons: tuple[str, str, str, str]
    """Winter, spring, summer, autumn."""
    units: tuple[str, str, str, str]
    """Day, week, month, year, in all numbers and cases."""
    counts: tuple[str, ...]
    """One, two, three … in words."""
    early: str
    """What narrows a month or year to its beginning."""
    middle: str
    late: str
    ago: str
    """`{count} {unit} ago`, with these two places filled in by code."""
    last: str
    """`last {unit}`, with that place filled in by code; seasons too."""
    this: str
    nearby: tuple[tuple[str, int], ...]
    """Words for a day by its distance from today."""
    asks_when: str
    """What asks for a time or for how long."""
    temporal: str
    """Words of time that an answer to such a question holds."""
    first_person: str
    second_person: str
    question_endings: str = ""
    """What ends a question without a question mark."""
    month_needs_context: frozenset[str] = field(default=frozenset())
    """Forms that are everyday words as well: a month only beside a number or behind a preposition."""
    month_prepositions: str = ""
    of_month: str = ""
    """What may stand between a day and its month."""
    of_year: str = ""
    """What may stand between a month and its year."""
    year_noun: str = ""
    """What may follow the number of a year."""
    before: str = ""
    """`before` a date: "two weeks before August 11"."""
    is_spaced: bool = True
    """Whether spaces stand between words."""
