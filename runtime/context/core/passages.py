"""The part of a passage that speaks to a query, in whole sentences."""

from __future__ import annotations

import re
from collections.abc import Set

from factcheck.core.sentences import split_sentences
from knowledge.text.analysis import lexeme_counts
from knowledge.text.queries import leave_out_question_words
from knowledge.text.tables import render_tables
from knowledge.text.tokens import count_tokens, truncate_to_tokens

GAP = "…"
_TABLE_RULE = re.compile(r"(?:[-:]{2,}\s+){2,}")


def quote_passage(text: str, query: str, *, limit: int, words: Set[str] | None = None) -> str:
    """Sentences that follow each other within `limit` tokens and hold most of the query's words.

    Of equals the last: what follows upon the words says more than what leads up to them. What
    is left out before and behind is marked. A single sentence that is too long is cut. Rows of tables are sentences,
    each value with the name of its column. `words` are the query's telling lexemes where they are known already.
    """
    sentences = [_TABLE_RULE.sub("", sentence) for sentence in split_sentences(render_tables(text))]
    whole = " ".join(sentences)
    if count_tokens(whole) <= limit:
        return whole
    wanted = leave_out_question_words(lexeme_counts(query)).keys() if words is None else words
    tokens = [count_tokens(f" {sentence}") for sentence in sentences]
    found = [wanted & set(lexeme_counts(sentence)) for sentence in sentences]
    room = limit - 2 * count_tokens(GAP)
    best, most = (0, 1), -1
    for start in range(len(sentences)):
        end, used = start, 0
        while end < len(sentences) and used + tokens[end] <= room:
            used += tokens[end]
            end += 1
        held = len(set().union(*found[start:end])) if end > start else len(found[start])
        if held > most or held == most > 0:
            best, most = (start, max(end, start + 1)), held
    start, end = best
    kept = truncate_to_tokens(" ".join(sentences[start:end]), room)
    head = f"{GAP} " if start else ""
    tail = f" {GAP}" if end < len(sentences) or not kept.endswith(sentences[end - 1]) else ""
    return f"{head}{kept}{tail}"
