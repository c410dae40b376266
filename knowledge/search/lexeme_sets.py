"""Which passages are looked at for keywords: those that hold one of some sets of lexemes whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knowledge.search.core.lexemes import hash_lexeme

LexemeSets = Sequence[tuple[str, ...]]


def render_condition(sets: LexemeSets) -> str:
    """The condition on `c.lexemes`: any of the single lexemes, or all of a set."""
    indexes = [index for index, lexemes in enumerate(sets) if len(lexemes) > 1]
    conditions = [] if indexes and len(indexes) == len(sets) else ["c.lexemes && %(candidate_lexemes)s::bigint[]"]
    return " OR ".join([*conditions, *(f"c.lexemes @> %(lexemes_{index})s::bigint[]" for index in indexes)])


def build_parameters(partition_id: int, sets: LexemeSets) -> dict[str, Any]:
    """The parameters of that condition: lexemes hashed in their partition."""
    hashed = [[hash_lexeme(partition_id, lexeme) for lexeme in lexemes] for lexemes in sets]
    return {
        "candidate_lexemes": [lexemes[0] for lexemes in hashed if len(lexemes) == 1],
        **{f"lexemes_{index}": lexemes for index, lexemes in enumerate(hashed) if len(lexemes) > 1},
    }
