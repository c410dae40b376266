"""One batch of a build, worked out before its transaction: what is published, indexed, embedded and closed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db.models import Q

from knowledge.canon.core.article import Article
from knowledge.canon.core.chunk_matches import FIELDS, MatchedChunk, OldChunk, match_chunks
from knowledge.canon.core.chunks import chunk_article
from knowledge.canon.core.names import name_keys
from knowledge.canon.models import LoreChunk, LorePassage, LoreRevision, Publication, Release, ReleaseEdit
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.revisions import read_article
from knowledge.config import DomainSettings
from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.embedding import Embedder, embed_each
from knowledge.search.embedding.base import Vectors
from knowledge.search.index_rows import IndexedText, hash_embedded_text, index_text
from knowledge.search.models import EmbeddingState
from knowledge.text.chunking import ChunkLimits
from knowledge.text.versions import ChunkState


@dataclass(slots=True)
class PlannedPassage:
    """A passage to be written for a chunk, new or known."""

    chunk: LoreChunk
    revision: LoreRevision
    indexed: IndexedText
    embedded_text: str
    embedding_hash: bytes
    vector: Vectors | None = None
    refusal: str = ""

    @property
    def embedding_state(self) -> EmbeddingState:
        """Done with a vector, failed with a refusal, else waiting."""
        if self.vector is not None:
            return EmbeddingState.DONE
        return EmbeddingState.FAILED if self.refusal else EmbeddingState.PENDING


@dataclass(slots=True)
class BatchPlan:
    """All that a batch writes."""

    edit_ids: list[int]
    publications: list[Publication] = field(default_factory=list)
    chunks: list[LoreChunk] = field(default_factory=list)
    passages: list[PlannedPassage] = field(default_factory=list)
    closed_passage_ids: list[int] = field(default_factory=list)
    lexeme_deltas: Counter[int] = field(default_factory=Counter)


@dataclass(slots=True)
class BuildContext:
    """What stays the same from batch to batch, and whether the embedder still answers."""

    release: Release
    settings: DomainSettings
    embedder: Embedder
    embedder_answers: bool

    def index(self, text: str) -> IndexedText:
        """The keyword side of a passage of this release."""
        return index_text(
            text,
            partition_id=self.release.domain_index_id,
            pivot=self.release.length_pivot,
            params=BM25Params(self.settings.bm25.k1, self.settings.bm25.b),
        )


def plan_batch(context: BuildContext, edits: Sequence[ReleaseEdit]) -> BatchPlan:
    """What the edits write. Reads the documents' open passages and asks the embedder; call it outside transactions."""
    plan = BatchPlan(edit_ids=[edit.pk for edit in edits])
    open_chunks = _load_open_chunks(context.release, [edit.document_id for edit in edits])
    for edit in edits:
        old = open_chunks.get(edit.document_id, [])
        if edit.revision is None:
            plan.closed_passage_ids += [chunk.passage_id for chunk in old]
        else:
            _plan_article(context, plan, edit.revision, old)
    _count_lexemes(plan)
    _add_vectors(context, plan.passages)
    return plan


def _load_open_chunks(release: Release, document_ids: Sequence[int]) -> dict[int, list[OldChunk]]:
    by_document: defaultdict[int, list[OldChunk]] = defaultdict(list)
    base = live_in(release.base_number or 0) & Q(domain_index_id=release.domain_index_id)
    published = Publication.objects.filter(base, document_id__in=document_ids)
    fields = dict(published.values_list("document_id", "revision__fields"))
    passages = (
        LorePassage.objects.filter(document_id__in=document_ids, removed_in__isnull=True)
        .select_related("chunk")
        .only(
            "document_id",
            "type",
            "language",
            "audience",
            "chunk__ordinal",
            "chunk__anchor",
            "chunk__heading_path",
            "chunk__text",
            "chunk__version",
            "chunk__content_hash",
        )
        .order_by("document_id", "chunk__ordinal", "id")
    )
    for passage in passages:
        chunk = passage.chunk
        by_document[passage.document_id].append(
            OldChunk(
                chunk_id=chunk.pk,
                passage_id=passage.pk,
                ordinal=chunk.ordinal,
                content_hash=bytes(chunk.content_hash),
                state=ChunkState(
                    text=chunk.text,
                    heading_path=tuple(chunk.heading_path),
                    anchor=chunk.anchor,
                    facts=_facts(passage, fields.get(passage.document_id, {})),
                    version=chunk.version,
                ),
            )
        )
    return by_document


def _plan_article(context: BuildContext, plan: BatchPlan, revision: LoreRevision, old: list[OldChunk]) -> None:
    article = read_article(revision)
    plan.publications.append(_make_publication(context.release, revision, article))
    limits = ChunkLimits(context.settings.chunk.min_tokens, context.settings.chunk.max_tokens)
    chunks = chunk_article(article, limits)
    kept: set[int] = set()
    for match in match_chunks(old, chunks, facts=_facts(article, article.fields)):
        if match.kept is not None and not context.release.rebuild:
            kept.add(match.kept.passage_id)
            continue
        plan.passages.append(_plan_passage(context, plan, revision, match))
    plan.closed_passage_ids += [chunk.passage_id for chunk in old if chunk.passage_id not in kept]


def _facts(of: Article | LorePassage, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What gives a chunk its meaning besides its text: what it is, who may know it, and its article's fields."""
    return {"type": of.type, "language": of.language, "audience": sorted(of.audience), FIELDS: dict(fields)}


def _plan_passage(
    context: BuildContext, plan: BatchPlan, revision: LoreRevision, match: MatchedChunk
) -> PlannedPassage:
    if match.kept is not None:
        chunk = LoreChunk(pk=match.kept.chunk_id)
    else:
        chunk = _make_chunk(context.release, revision, match)
        plan.chunks.append(chunk)
    return PlannedPassage(
        chunk=chunk,
        revision=revision,
        indexed=context.index(match.chunk.indexed_text),
        embedded_text=match.chunk.embedded_text,
        embedding_hash=hash_embedded_text(match.chunk.embedded_text),
    )


def _make_publication(release: Release, revision: LoreRevision, article: Article) -> Publication:
    return Publication(
        tenant_id=release.tenant_id,
        domain_index_id=release.domain_index_id,
        document_id=revision.document_id,
        revision=revision,
        slug=revision.slug,
        title=revision.title,
        type=revision.type,
        names=name_keys((article.title, *article.aliases)),
        rule_id=revision.rule_id,
        audience=revision.audience,
        tags=revision.tags,
        mentions=revision.mentions,
        added_in=release.number,
    )


def _make_chunk(release: Release, revision: LoreRevision, match: MatchedChunk) -> LoreChunk:
    return LoreChunk(
        tenant_id=release.tenant_id,
        document_id=revision.document_id,
        revision=revision,
        ordinal=match.ordinal,
        anchor=match.chunk.anchor,
        heading_path=list(match.chunk.heading_path),
        title=revision.title,
        text=match.chunk.text,
        token_count=match.chunk.token_count,
        version=match.version,
        content_hash=match.chunk.content_hash,
    )


def _count_lexemes(plan: BatchPlan) -> None:
    for passage in plan.passages:
        plan.lexeme_deltas.update(passage.indexed.lexemes)
    if plan.closed_passage_ids:
        closed = LorePassage.objects.filter(pk__in=plan.closed_passage_ids).values_list("lexemes", flat=True)
        for lexemes in closed.iterator(chunk_size=500):
            plan.lexeme_deltas.subtract(lexemes)


def _add_vectors(context: BuildContext, passages: Sequence[PlannedPassage]) -> None:
    """Vectors known already by their text's hash, then those of the embedder; none of them once it has failed."""
    by_hash: defaultdict[bytes, list[PlannedPassage]] = defaultdict(list)
    for passage in passages:
        by_hash[passage.embedding_hash].append(passage)
    known = LorePassage.objects.filter(
        vector_space_id=context.release.vector_space_id, embedding_hash__in=list(by_hash), embedding__isnull=False
    )
    for embedding_hash, vector in known.distinct("embedding_hash").values_list("embedding_hash", "embedding"):
        for passage in by_hash.pop(bytes(embedding_hash)):
            passage.vector = np.asarray(vector, dtype=np.float32)
    if not by_hash or not context.embedder_answers:
        return
    try:
        answers = embed_each(context.embedder, [group[0].embedded_text for group in by_hash.values()])
    except (EmbedderUnavailable, EmbedderMisbehaves):
        context.embedder_answers = False
        return
    for group, answer in zip(by_hash.values(), answers, strict=True):
        for passage in group:
            if isinstance(answer, TextNotEmbeddable):
                passage.refusal = answer.detail
            else:
                passage.vector = answer
