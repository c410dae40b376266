"""BM25 as a dot product: the document's side, the query's side, and how few candidates make the top ten exact.

The score of a document is the sum over query lexemes of query weight (idf times how often the query says it) times
document weight. A lexeme's document weight never exceeds `k1 + 1`, which bounds what lexemes left out could add.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest, nsmallest

from knowledge.search.core.lexemes import sparse_index

MOST_NON_ZEROS = 16_000
"""What a pgvector `sparsevec` holds at most."""


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
    if len(weights) > MOST_NON_ZEROS:
        weights = dict(nlargest(MOST_NON_ZEROS, weights.items(), key=lambda item: (item[1], -item[0])))
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

    Candidates are taken from the first terms only; `is_exact` says when the terms left out can no longer bring a new
    document into the top k. Ties with the k-th score may fall either way.
    """

    terms: tuple[QueryTerm, ...]

    def highest_score_after(self, taken: int) -> float:
        """The most that a document without any of the first `taken` terms can score."""
        return math.fsum(term.highest_score for term in self.terms[taken:])

    def is_exact(self, kth_score: float | None, left_out: int) -> bool:
        """Whether the top k is final with the `left_out` commonest terms not searched for.

        `kth_score` is None while fewer than k candidates were found: then every term must be taken.
        """
        if left_out <= 0:
            return True
        if kth_score is None:
            return False
        return kth_score >= self.highest_score_after(len(self.terms) - left_out)

    def taken_for_frequency(self, most_documents: int) -> int:
        """How many terms, rarest first, together occur in at most `most_documents` documents; at least one."""
        total = 0
        for taken, term in enumerate(self.terms):
            total += term.document_frequency
            if total > most_documents:
                return max(taken, 1)
        return len(self.terms)


def plan_query(
    counts: Mapping[str, int],
    document_frequencies: Mapping[str, int],
    *,
    document_count: int,
    params: BM25Params = DEFAULT_PARAMS,
) -> QueryPlan:
    """The plan of a query from its lexeme counts and the scope's document frequencies; unknown lexemes are dropped."""
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
