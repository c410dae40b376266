"""Revisions read back as articles."""

from __future__ import annotations

from dataclasses import replace

from knowledge.canon.core.article import Article, Relation
from knowledge.canon.models import LoreRevision


def read_article(revision: LoreRevision) -> Article:
    """What a revision says, as the article that it was made from."""
    return Article(
        slug=revision.slug,
        title=revision.title,
        type=revision.type,
        language=revision.language,
        body=revision.body,
        tags=tuple(revision.tags),
        aliases=tuple(revision.aliases),
        rule_id=revision.rule_id,
        audience=tuple(revision.audience),
        fields=revision.fields,
        field_labels={name: tuple(labels) for name, labels in revision.field_labels.items()},
        relations=tuple(Relation(relation["type"], relation["to"]) for relation in revision.relations),
        source=revision.source,
        lorebook_origin=revision.lorebook_origin or {},
    )


def keep_origin(article: Article, revision: LoreRevision) -> Article:
    """The article with what a lorebook's file says beside it: who writes an article anew need not know of that."""
    if article.lorebook_origin or not revision.lorebook_origin:
        return article
    return replace(article, lorebook_origin=revision.lorebook_origin)
