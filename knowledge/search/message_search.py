"""Search among the messages of conversations: exact within one owner's partition, ranked by all that is known of each
message."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils import timezone

from knowledge.config import MessageSettings
from knowledge.search.core.bm25 import BM25Params, QueryPlan
from knowledge.search.core.fusion import Candidate, FusedHit, sort_hits
from knowledge.search.core.message_ranking import Pool, PoolMessage, PoolQuestion, build_features
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import RankedPassages, fuse_candidates, is_match
from knowledge.search.message_rows import MAX_RANKED_TERMS, MessagePartition, MessageRow, read_rows
from knowledge.text.questions import QuestionReading, find_named, read_question

USER_SPEAKER = "user"
_LABEL = re.compile(r"([^\W\d_][\w .'’-]{0,39}):\s")
_MIN_LABEL_SHARE = 0.2
"""`Anna: …` names a speaker where a fifth of the messages begin so; else it is a word before a colon."""
_LENDING_FEATURES = ("near", "second", "reply")


def rank_messages(
    partition: MessagePartition,
    *,
    query: str,
    plan: QueryPlan,
    query_vector: Vectors | None,
    settings: MessageSettings,
    semantic: bool,
    limit: int,
) -> RankedPassages:
    """All messages that were looked at, best first; the first `limit` by keywords are exact. One query, or two of a
    large partition; there the nearest by vector are those among the nearest by code, else they are exact, too.

    Without a query vector, keywords and newness decide.
    A message that only stands beside a match comes too, by what that lends it.
    """
    rows, keyword_rounds = read_rows(partition, plan, query_vector, settings, limit)
    candidates = [Candidate(row.id, row.keyword_score, row.vector_score, row.is_fresh) for row in rows]
    fused = _scale(fuse_candidates(candidates, settings.retrieval, semantic=semantic), settings)
    matching = {hit.id for hit in fused if is_match(hit)}
    ranked = rank_rows(rows, fused, matching, query=query, plan=plan, settings=settings)
    wanted = {row.id for row in rows if row.is_wanted}
    return RankedPassages(
        hits=tuple(hit for hit in ranked if hit.id in wanted and (hit.id in matching or hit.neighbour_part > 0)),
        keyword_rounds=keyword_rounds,
        candidates=len(rows),
        terms=tuple(term.lexeme for term in plan.terms),
    )


def rank_rows(
    rows: Sequence[MessageRow],
    fused: Sequence[FusedHit],
    matching: set[int],
    *,
    query: str,
    plan: QueryPlan,
    settings: MessageSettings,
) -> list[FusedHit]:
    """The fused hits with every feature times its weight added, best first."""
    weights = {name: weight for name, weight in settings.features.items() if weight}
    if not rows or not weights:
        return sort_hits(fused)
    pool = build_pool(rows, fused, matching, query=query, plan=plan, settings=settings)
    parts = build_features(pool, list(weights)) * list(weights.values())
    lending = [index for index, name in enumerate(weights) if name in _LENDING_FEATURES]
    added = zip(parts.tolist(), parts.sum(axis=1).tolist(), parts[:, lending].sum(axis=1).tolist(), strict=True)
    by_id = dict(zip((message.id for message in pool.messages), added, strict=True))
    names = tuple(weights)
    return sort_hits(_add(hit, names, *by_id[hit.id]) for hit in fused)


def build_pool(
    rows: Sequence[MessageRow],
    fused: Sequence[FusedHit],
    matching: set[int],
    *,
    query: str,
    plan: QueryPlan,
    settings: MessageSettings,
) -> Pool:
    """The rows as the ranking model takes them. What does not match has nothing to lend."""
    scores = {hit.id: hit.score for hit in fused if hit.id in matching}
    reading = read_question(query, today=timezone.localdate())
    speakers = name_speakers(rows)
    messages = [
        # By place: keywords take twice as long, hundreds of times a search.
        PoolMessage(
            row.id,
            row.conversation_id,
            row.seq,
            row.is_candidate,
            scores.get(row.id, 0.0),
            row.length,
            row.language,
            row.terms,
            row.said_on,
            speaker,
            row.head,
            row.ending,
        )
        for row, (speaker, _) in zip(rows, speakers, strict=True)
    ]
    question = PoolQuestion(
        reading=reading,
        term_weights=[term.weight for term in plan.terms[:MAX_RANKED_TERMS]],
        speakers=_find_asked_speakers(reading, dict(speakers)),
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
        pivot=settings.pivot,
    )
    return Pool(messages, question)


def name_speakers(rows: Sequence[MessageRow]) -> list[tuple[str, str]]:
    """Of each row a key of its speaker and that one's name; a label before the text names whom nobody else does."""
    labels = [_LABEL.match(row.head) for row in rows]
    counts = Counter(label[1] for label in labels if label is not None)
    trusted = {label for label, count in counts.items() if count >= _MIN_LABEL_SHARE * len(rows)}

    def name(row: MessageRow, label: re.Match[str] | None) -> tuple[str, str]:
        said = row.speaker_name or (label[1] if label is not None and label[1] in trusted else "")
        return f"{row.speaker}:{said}", said

    return [name(row, label) for row, label in zip(rows, labels, strict=True)]


def _find_asked_speakers(reading: QuestionReading, names: Mapping[str, str]) -> frozenset[str]:
    """Whose messages answer: the only one whom the question names; the user's, where it is of the asker alone."""
    named = find_named(reading, {name: name for name in names.values() if name})
    if named is not None:
        return frozenset() if reading.asks_of_self else frozenset(key for key, name in names.items() if name == named)
    if not reading.asks_of_self:
        return frozenset()
    return frozenset(key for key in names if key.partition(":")[0] == USER_SPEAKER)


def _add(hit: FusedHit, names: Sequence[str], parts: Sequence[float], total: float, lent: float) -> FusedHit:
    # Hundreds of hits a search: by place, since `_replace` and keywords take twice as long.
    return FusedHit(
        hit.id,
        hit.score + total,
        hit.bm25,
        hit.vector,
        hit.bm25_part,
        hit.vector_part,
        hit.bm25_rank,
        hit.vector_rank,
        lent,
        hit.name_part,
        hit.is_placed_as_fresh,
        hit.is_near,
        tuple(zip(names, parts, strict=True)),
    )


def _scale(hits: Sequence[FusedHit], settings: MessageSettings) -> Sequence[FusedHit]:
    """Scores on the scale that the weights of features were fitted to: those of places reach 1/60 at most."""
    best = max((hit.score for hit in hits), default=0.0)
    if settings.retrieval.fuse != "rrf" or best <= 0:
        return hits
    return [
        hit._replace(score=hit.score / best, bm25_part=hit.bm25_part / best, vector_part=hit.vector_part / best)
        for hit in hits
    ]
