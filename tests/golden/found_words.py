"""Words of a question that a text has, in whatever form."""

from __future__ import annotations

from knowledge.text.analysis import analyse_document
from knowledge.text.queries import list_telling_forms


def count_found_words(query: str, text: str) -> tuple[int, int]:
    """How many telling words of the question the text has, and how many there are."""
    held = set(analyse_document(text))
    asked = list_telling_forms(query)
    return sum(bool(held & set(forms)) for forms in asked), len(asked)
