"""Words that only ask, in the languages of canon.

A document seldom says `how` or `сколько`, so idf takes them for telling words and a question finds whatever happens
to ask too. Documents keep them: a query leaves them out, and only while it says anything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache

from knowledge.text.analysis import ALL_WHOLE, analyse, choose_stemmers, list_query_forms
from knowledge.text.language import find_language_without_stemmer
from knowledge.text.languages import LANGUAGES

LANGUAGE_WITHOUT_STEMMER = "language_without_stemmer"
"""Code of `degraded`: whole words are looked for, other forms of them are missed."""


def count_query_lexemes(query: str) -> Counter[str]:
    """The lexemes by which a query looks for documents, in all their forms, without words that only ask."""
    counts = Counter(form for forms in list_query_forms(query) for form in forms)
    return leave_out_question_words(counts)


def list_language_gaps(query: str) -> list[str]:
    """The code of a search whose query is in a language without a stemmer; empty for all others."""
    return [LANGUAGE_WITHOUT_STEMMER] if find_language_without_stemmer(query) else []


def list_telling_forms(query: str) -> list[tuple[str, ...]]:
    """For each word of a query that does not only ask, its forms; every word where nothing else is left."""
    forms = list_query_forms(query)
    telling = leave_out_question_words(Counter(words[0] for words in forms))
    return [words for words in forms if words[0] in telling]


def leave_out_question_words(counts: Mapping[str, int]) -> Counter[str]:
    """The lexemes of a query without those that only ask; all of them where nothing else is left."""
    asking = _list_asking_lexemes()
    telling = Counter({lexeme: count for lexeme, count in counts.items() if lexeme not in asking})
    return telling or Counter(counts)


@cache
def _list_asking_lexemes() -> frozenset[str]:
    """Whole words by their lexemes. Of Chinese, single characters of longer words stay: they have other uses."""
    asking: set[str] = set()
    for language in LANGUAGES.values():
        for word in (language.asking_words or "").split():
            if language.boundary == "none":
                asking |= {word, *_parts(word)}
                continue
            asking |= set(analyse(word))
            if not language.is_script_default:
                asking |= {*analyse(word, stemmers=choose_stemmers(language.code)), *analyse(word, stemmers=ALL_WHOLE)}
    return frozenset(asking)


def _parts(word: str) -> list[str]:
    return [lexeme for lexeme in analyse(word) if len(lexeme) == min(len(word), 2)]
