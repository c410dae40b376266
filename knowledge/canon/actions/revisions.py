"""Documents and their immutable revisions, written in bulk."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.canon.core.article import Article
from knowledge.canon.models import DomainIndex, LoreDocument, LoreRevision


def create_documents(index: DomainIndex, *, count: int) -> list[LoreDocument]:
    """So many new documents, in order."""
    return LoreDocument.objects.bulk_create(
        LoreDocument(tenant_id=index.tenant_id, domain_index_id=index.pk) for _ in range(count)
    )


def ensure_revisions(index: DomainIndex, articles: Sequence[tuple[int, Article]]) -> list[LoreRevision]:
    """A revision for each (document id, article), in order: the document's latest if it says the same, else a new one.

    Call it with the domain index locked: that is what keeps the numbers apart.
    """
    latest = {
        revision.document_id: revision
        for revision in LoreRevision.objects.filter(document_id__in=[document_id for document_id, _ in articles])
        .order_by("document_id", "-number")
        .distinct("document_id")
        .only("document_id", "number", "content_hash", "slug")
    }
    revisions = []
    for document_id, article in articles:
        known = latest.get(document_id)
        content_hash = article.content_hash()
        if known is not None and bytes(known.content_hash) == content_hash:
            revisions.append(known)
            continue
        number = known.number + 1 if known is not None else 1
        revisions.append(_make_revision(index, document_id, number, article, content_hash))
    LoreRevision.objects.bulk_create([revision for revision in revisions if revision.pk is None])
    return revisions


def _make_revision(
    index: DomainIndex, document_id: int, number: int, article: Article, content_hash: bytes
) -> LoreRevision:
    return LoreRevision(
        tenant_id=index.tenant_id,
        document_id=document_id,
        number=number,
        slug=article.slug,
        title=article.title,
        type=article.type,
        language=article.language,
        body=article.body,
        tags=list(article.tags),
        aliases=list(article.aliases),
        rule_id=article.rule_id,
        audience=list(article.audience),
        fields=dict(article.fields),
        field_labels={name: list(labels) for name, labels in article.field_labels.items()},
        relations=[{"type": relation.type, "to": relation.to} for relation in article.relations],
        translation_of=article.translation_of,
        source=article.source,
        lorebook_origin=dict(article.lorebook_origin) or None,
        mentions=list(article.mentions()),
        content_hash=content_hash,
    )
