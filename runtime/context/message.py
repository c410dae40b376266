"""What the player says now, analysed once for all that read it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.text.analysis import analyse, lexeme_counts
from knowledge.text.language import detect_language
from knowledge.text.queries import leave_out_question_words

_LATIN = re.compile(r"[A-Za-z]{2}")
_ARABIC = re.compile(r"[\u0620-\u064a]")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_ARABIZI = re.compile(r"(?<![\w])(?=\w*[A-Za-z])\w*[A-Za-z][2356789][A-Za-z]\w*|(?<![\w])[2357][A-Za-z]{2}\w*")


@dataclass(frozen=True)
class PlayerMessage:
    """The message and where it is said. Each analysis is made when it is first asked for, and kept.

    Vectors are not here: `prepare_queries` has each embedder asked once for each of the two queries.
    """

    text: str
    location_id: str = ""
    """Empty where no place is named."""

    @cached_property
    def query(self) -> str:
        """As messages are searched for: its beginning, on one line."""
        return self._cut(MAX_QUERY_LENGTH)

    @cached_property
    def canon_query(self) -> str:
        """As canon is searched for: its words, and where they are said."""
        place = self.location_id.replace("_", " ").replace("-", " ")
        return f"{self._cut(MAX_QUERY_LENGTH - len(place) - 1)} {place}".strip()

    @cached_property
    def lexemes(self) -> frozenset[str]:
        """The lexemes of its own words."""
        return frozenset(analyse(self.query))

    @cached_property
    def telling_words(self) -> frozenset[str]:
        """The lexemes of the whole text without those that only ask: by them a profile is quoted."""
        return _list_telling(self.text)

    @cached_property
    def telling_canon_words(self) -> frozenset[str]:
        """The same of the query for canon: by them passages are quoted."""
        return _list_telling(self.canon_query)

    @cached_property
    def threshold_language(self) -> str:
        """The language whose threshold of similarity holds: `mixed` with words in two scripts, `arabizi` for Arabic in
        Latin letters.
        """
        scripts = [script for script in (_LATIN, _ARABIC, _CYRILLIC) if script.search(self.text)]
        if len(scripts) > 1:
            return "mixed"
        if scripts == [_LATIN] and _ARABIZI.search(self.text):
            return "arabizi"
        return detect_language(self.text)

    def _cut(self, max_length: int) -> str:
        return " ".join(self.text.split())[:max_length]


def _list_telling(text: str) -> frozenset[str]:
    return frozenset(leave_out_question_words(lexeme_counts(text)))
