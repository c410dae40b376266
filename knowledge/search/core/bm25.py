"""BM25 as a dot product: the document's side, the query's side, and how few candidates make the top ten exact.

The score of a document is the sum over query lexemes of query weight (idf times how often the query says it) times
document weight. A lexeme's document weight never exceeds `k1 + 1`, which bounds what lexemes left out could add.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest, nsmallest

from knowledge.search.core.lexemes import sparse_index

MAX_NON_ZEROS = 16_000
"""What a pgvector `sparsevec` holds at most."""
MAX_SETS = 24
"""So many sets of lexemes are looked up at most; each is an intersection of posting lists."""


@dataclass(frozen=True, slots=True)
class BM25Params:
    """How fast repetition saturates (`k1`) and how much length counts (`b`)."""

    k1: float = 1.2
    b: float = 0.75

    @property
    def highest_weight(self) -> float:
        """What no document weight reaches."""
        return self.k1 + 1.0


DEFAULT_PARAMS = BM25Params()


def document_weights(
    counts: Mapping[str, int], *, length: int, pivot: float, params: BM25Params = DEFAULT_PARAMS
) -> dict[int, float]:
    """The document's side of BM25 by sparse index, ready for a `sparsevec`.

    `length` is the document's lexeme count, `pivot` the average one. Two lexemes that share an index (about one pair
    in 10⁹) keep the larger weight. The 16,000 largest weights are kept.
    """
    norm = params.k1 * (1.0 - params.b + params.b * length / pivot) if pivot > 0 else params.k1
    highest = params.highest_weight
    by_count = {count: count * highest / (count + norm) for count in set(counts.values()) if count > 0}
    weights: dict[int, float] = {}
    for lexeme, count in counts.items():
        weight = by_count.get(count)
        if weight is None:
            continue
        index = sparse_index(lexeme)
        known = weights.get(index)
        if known is None or weight > known:
            weights[index] = weight
    if len(weights) > MAX_NON_ZEROS:
        weights = dict(nlargest(MAX_NON_ZEROS, weights.items(), key=lambda item: (item[1], -item[0])))
    return weights


def inverse_document_frequency(document_frequency: int, document_count: int) -> float:
    """How telling a lexeme is, in Lucene's form, which is never negative.

    A frequency above the document count (counts read a moment apart) is taken as the count.
    """
    held = min(max(document_frequency, 0), max(document_count, 0))
    return math.log1p((max(document_count, 0) - held + 0.5) / (held + 0.5))


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One distinct lexeme of a query: its weight is idf times how often the query says it."""

    lexeme: str
    weight: float
    document_frequency: int
    highest_score: float


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The terms of a query that occur at all, rarest first, and what they can add to a score (MaxScore).

    Candidates are first taken from the rarest terms. `list_missing` then says which documents without any of those
    could still reach the top k; once they are scored too, the top k is exact. Ties with the k-th score may fall either
    way.
    """

    terms: tuple[QueryTerm, ...]

    def taken_for_frequency(self, most_documents: int) -> int:
        """How many terms, rarest first, together occur in at most `most_documents` documents; at least one."""
        total = 0
        for taken, term in enumerate(self.terms):
            total += term.document_frequency
            if total > most_documents:
                return max(taken, 1)
        return len(self.terms)

    def list_missing(self, taken: int, kth_score: float | None) -> list[tuple[str, ...]]:
        """Sets of lexemes: a document without any of the first `taken` terms that may score above the k-th holds all
        lexemes of at least one set.

        Empty when the top k is final. `kth_score` is None while fewer than k candidates were found: then every term
        left out counts by itself. Where too many sets would be needed, the rarest terms count by themselves.
        """
        if kth_score is None:
            return [(term.lexeme,) for term in self.terms[taken:]]
        for alone in range(taken, len(self.terms) + 1):
            sets = _combine(self.terms[alone:], above=kth_score)
            if sets is not None:
                return [*((term.lexeme,) for term in self.terms[taken:alone]), *sets]
        raise AssertionError("no terms need no sets")


def _combine(terms: Sequence[QueryTerm], *, above: float) -> list[tuple[str, ...]] | None:
    """The smallest sets of terms that together can score above a score; None where they are too many."""
    ordered = sorted(terms, key=lambda term: (-term.highest_score, term.lexeme))
    rest = [math.fsum(term.highest_score for term in ordered[place:]) for place in range(len(ordered) + 1)]
    sets: list[tuple[str, ...]] = []

    def extend(chosen: tuple[str, ...], score: float, place: int) -> bool:
        while place < len(ordered) and score + rest[place] > above:
            term = ordered[place]
            place += 1
            if score + term.highest_score > above:
                sets.append((*chosen, term.lexeme))
                if len(sets) > MAX_SETS:
                    return False
            elif not extend((*chosen, term.lexeme), score + term.highest_score, place):
                return False
        return True

    return sets if extend((), 0.0, 0) else None


def plan_query(
    counts: Mapping[str, float],
    document_frequencies: Mapping[str, int],
    *,
    document_count: int,
    params: BM25Params = DEFAULT_PARAMS,
) -> QueryPlan:
    """The plan of a query from its lexeme counts and the partition's document frequencies; unknown lexemes are dropped.

    A count may be a fraction: a word that weighs less than one that was asked for.
    """
    terms = []
    for lexeme, count in counts.items():
        frequency = document_frequencies.get(lexeme, 0)
        if frequency <= 0 or count <= 0:
            continue
        weight = count * inverse_document_frequency(frequency, document_count)
        terms.append(QueryTerm(lexeme, weight, frequency, weight * params.highest_weight))
    return QueryPlan(tuple(sorted(terms, key=lambda term: (term.document_frequency, term.lexeme))))


@dataclass(frozen=True, slots=True)
class ExactDocument:
    """A document of a reference corpus: its id and its lexeme counts."""

    document_id: str
    counts: Mapping[str, int]


class ExactIndex:
    """A BM25 index in memory that scores every document: the reference that candidates are measured against."""

    def __init__(self, documents: Iterable[ExactDocument], *, params: BM25Params = DEFAULT_PARAMS) -> None:
        self._params = params
        corpus = list(documents)
        lengths = {document.document_id: sum(document.counts.values()) for document in corpus}
        self.document_count = len(corpus)
        self.pivot = sum(lengths.values()) / len(corpus) if corpus else 0.0
        self._postings: dict[str, list[tuple[str, float]]] = {}
        for document in corpus:
            norm = params.k1 * (1.0 - params.b + params.b * lengths[document.document_id] / (self.pivot or 1.0))
            for lexeme, count in document.counts.items():
                weight = count * params.highest_weight / (count + norm)
                self._postings.setdefault(lexeme, []).append((document.document_id, weight))

    def document_frequency(self, lexeme: str) -> int:
        """How many documents hold the lexeme."""
        return len(self._postings.get(lexeme, ()))

    def rank(self, query: Mapping[str, int], *, limit: int) -> list[tuple[str, float]]:
        """The best documents and their scores, best first, ties by id."""
        scores: dict[str, float] = {}
        for lexeme, count in query.items():
            postings = self._postings.get(lexeme)
            if not postings:
                continue
            weight = count * inverse_document_frequency(len(postings), self.document_count)
            for document_id, document_weight in postings:
                scores[document_id] = scores.get(document_id, 0.0) + weight * document_weight
        return nsmallest(limit, scores.items(), key=lambda item: (-item[1], item[0]))
