"""What speaks against a value where it stands."""

from __future__ import annotations

import pytest

from factcheck.instant.core.hits import find_guards, passes_guards
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.pattern_sets import load_shipped


def find(text: str, word: str) -> frozenset[str]:
    compiled, _ = load_shipped()
    message = fold_message(text)
    start = message.text.index(word)
    found = find_guards(message, compiled.readers["allergy"], start, start + len(word))
    assert passes_guards(message, compiled.readers["allergy"], start, start + len(word)) == (not found)
    return found


@pytest.mark.parametrize(
    ("text", "word", "kind"),
    [
        ("peanuts make me swell", "peanuts", None),
        ("do peanuts make me swell?", "peanuts", "question"),
        ("my brother swells up from peanuts", "peanuts", "other_subject"),
        ("when i was little i was allergic to peanuts but i grew out of it", "peanuts", "past"),
        ("if i were allergic to peanuts i would carry a pen", "peanuts", "condition"),
    ],
)
def test_kinds_of_guards_are_told_apart(text, word, kind):
    assert (kind in find(text, word)) if kind else not find(text, word)
