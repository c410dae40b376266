"""Words of a question that a text has, in whatever form."""

from __future__ import annotations

from knowledge.text.analysis import analyse_document
from knowledge.text.queries import list_telling_forms


def has_most_words(query: str, text: str) -> bool:
    """Whether the text has some telling word of the question, and lacks at most one."""
    held = set(analyse_document(text))
    asked = list_telling_forms(query)
    found = [forms for forms in asked if held & set(forms)]
    return len(found) >= max(1, len(asked) - 1)
