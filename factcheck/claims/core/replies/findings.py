"""What comes of holding a clause against canon."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from factcheck.claims.core.replies.clauses import Clause
from factcheck.claims.core.replies.questions import Question
from factcheck.claims.core.replies.texts import TypedValue, script_of

Rule = Literal["fields", "sentence", "number", "year", "name", "kind", "polarity", "model"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A clause that canon denies, or may deny."""

    is_contradiction: bool
    """False for a suspect: near a statement of canon, but not plainly against it."""
    rule: Rule
    quote: str
    """The clause, word for word."""
    slug: str
    canon_quote: str
    """The sentence of canon, or the field and its value."""
    expected: str | None
    field: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """A clause with what is known of it."""

    clause: Clause
    question: Question
    slugs: frozenset[str]
    """The articles that it may speak of."""
    is_settled: bool
    type_keys: frozenset[str]
    """Words for the sort of thing that is spoken of."""
    numbers: tuple[Fraction, ...]
    """All numbers that the reply states; those that it only asks back are none."""
    is_own: bool
    """Whether the speaker tells of themselves."""
    reply_keys: frozenset[str]
    is_of_stranger: bool
    """Whether what is spoken of has a name that none of the articles has."""
    around: frozenset[str]
    """Keys of the clauses beside it that may say what a value at its beginning is said of."""
    values: tuple[TypedValue, ...]
    """The values of classes that the clause holds."""

    @property
    def is_plain(self) -> bool:
        """Whether the clause states something outright."""
        return not self.clause.cues and not self.clause.is_negated

    def finding(
        self, rule: Rule, canon_quote: str, slug: str, expected: str | None, field: str | None, *, is_sure: bool
    ) -> Finding:
        """The clause held against one statement of canon.

        Where nothing says which article is meant, canon in another script is too far off to be sure, and so is a clause
        that speaks of somebody whom canon does not know.
        """
        is_near = self.is_settled or script_of(canon_quote) == script_of(self.clause.quote)
        is_sure = is_sure and is_near and not self.is_of_stranger
        return Finding(is_sure, rule, self.clause.quote, slug, canon_quote, expected, field)
