"""Reads of documents in a release, as far as a reader may know them.

`audience` is what the reader may know: tags as `get_npc_audience` gives them. None stands for the editors, who see all.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from knowledge.canon.core.names import storable_text
from knowledge.canon.models import PUBLIC, LorePassage, LoreRevision, Publication
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.revisions import read_article
from knowledge.canon.selectors.views import (
    SUMMARY_FIELDS,
    ChunkView,
    DocumentPage,
    DocumentSummary,
    DocumentView,
    MentionView,
    summarise,
)
from knowledge.errors import LimitOutOfRange, UnknownDocument

MAX_PAGE_SIZE = 200
MAX_BACKLINKS = 200

Audience = Sequence[str] | None


def get_document(release: ResolvedRelease, slug: str, *, audience: Audience = (PUBLIC,)) -> DocumentView:
    """The document under a slug, with its chunks, links and backlinks. Four queries.

    Raises UnknownDocument, alike for a slug that nothing has and for one that the reader may not know.
    """
    publication = (
        list_publications(release, audience).filter(slug=storable_text(slug)).select_related("revision").first()
    )
    if publication is None:
        raise UnknownDocument(f"There is no document {slug!r} in release {release.number}.")
    return _describe(release, publication, audience)


def get_document_by_id(release: ResolvedRelease, document_id: int, *, audience: Audience = (PUBLIC,)) -> DocumentView:
    """As get_document, by the document's lasting id."""
    publications = list_publications(release, audience).filter(document_id=document_id)
    publication = publications.select_related("revision").first()
    if publication is None:
        raise UnknownDocument(f"There is no such document in release {release.number}.")
    return _describe(release, publication, audience)


def list_documents(
    release: ResolvedRelease,
    *,
    audience: Audience = (PUBLIC,),
    type: str | None = None,  # noqa: A002 - the field's name in every door
    language: str | None = None,
    tags: Sequence[str] = (),
    title_contains: str = "",
    after: str = "",
    limit: int = 50,
) -> DocumentPage:
    """A page of the documents after a slug, in the order of slugs. One query. Raises InvalidQuery."""
    if not 1 <= limit <= MAX_PAGE_SIZE:
        raise LimitOutOfRange(f"limit must lie between 1 and {MAX_PAGE_SIZE}.")
    rows = list_publications(release, audience)
    if type:
        rows = rows.filter(type=storable_text(type))
    if language:
        rows = rows.filter(revision__language=storable_text(language))
    if tags:
        rows = rows.filter(tags__contains=[storable_text(tag) for tag in tags])
    if title_contains:
        rows = rows.filter(title__icontains=storable_text(title_contains))
    if after:
        rows = rows.filter(slug__gt=storable_text(after))
    documents = list_summaries(rows.order_by("slug"), limit + 1)
    more = len(documents) > limit
    return DocumentPage(documents[:limit], documents[limit - 1].slug if more else None)


def list_backlinks(
    release: ResolvedRelease, slug: str, *, audience: Audience = (PUBLIC,), limit: int = MAX_BACKLINKS
) -> tuple[DocumentSummary, ...]:
    """The documents that mention a slug and that the reader may know, by slug. One query."""
    rows = list_publications(release, audience).filter(mentions__overlap=[storable_text(slug)])
    return list_summaries(rows.order_by("slug"), limit)


def list_mentions(
    release: ResolvedRelease, slugs: Sequence[str], *, audience: Audience = (PUBLIC,)
) -> tuple[MentionView, ...]:
    """Where links lead for a reader, in the order given. One query."""
    if not slugs:
        return ()
    titles = dict(list_publications(release, audience).filter(slug__in=slugs).values_list("slug", "title"))
    return tuple(MentionView(slug, titles.get(slug)) for slug in slugs)


def list_publications(release: ResolvedRelease, audience: Audience) -> QuerySet[Publication]:
    """The publications live in a release that a reader may know."""
    rows = Publication.objects.filter(live_in(release.number), domain_index_id=release.domain_index_id)
    return rows if audience is None else rows.filter(audience__overlap=list(audience))


def list_summaries(rows: QuerySet[Publication], limit: int) -> tuple[DocumentSummary, ...]:
    """The first publications of a queryset as summaries. One query."""
    return tuple(summarise(row) for row in rows.select_related("revision").only(*SUMMARY_FIELDS)[:limit])


def list_chunks(release: ResolvedRelease, document_id: int) -> tuple[ChunkView, ...]:
    """The chunks of a document in a release, in reading order. One query."""
    rows = (
        LorePassage.objects.filter(
            live_in(release.number), domain_index_id=release.domain_index_id, document_id=document_id
        )
        .select_related("chunk")
        .only(
            "embedding_state",
            "chunk__heading_path",
            "chunk__anchor",
            "chunk__text",
            "chunk__version",
            "chunk__token_count",
        )
        .order_by("chunk__ordinal", "id")
    )
    return tuple(
        ChunkView(
            passage_id=row.pk,
            heading_path=tuple(row.chunk.heading_path),
            anchor=row.chunk.anchor,
            text=row.chunk.text,
            version=row.chunk.version,
            token_count=row.chunk.token_count,
            embedding_state=row.embedding_state,
        )
        for row in rows
    )


def _describe(release: ResolvedRelease, publication: Publication, audience: Audience) -> DocumentView:
    revision: LoreRevision = publication.revision
    article = read_article(revision)
    return DocumentView(
        release_number=release.number,
        summary=summarise(publication),
        body=article.body,
        aliases=article.aliases,
        fields=article.fields,
        field_labels={name: tuple(labels) for name, labels in article.field_labels.items()},
        relations=article.relations,
        translation_of=article.translation_of,
        source=article.source,
        chunks=list_chunks(release, publication.document_id),
        mentions=list_mentions(release, publication.mentions, audience=audience),
        backlinks=list_backlinks(release, publication.slug, audience=audience),
    )
