"""What an edit of all articles that a filter chooses would do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from knowledge.canon.core.article import parse_article
from knowledge.canon.models import Publication
from knowledge.canon.selectors.revisions import read_article
from knowledge.errors import InvalidArticle
from reviews.change_requests.core.bulk_edits import BulkEdit
from reviews.change_requests.selectors.bulk_replace import BulkPreview, ChangedDocument, build_preview
from reviews.releases.selectors.live import list_live_publications


@dataclass(frozen=True, slots=True)
class ArticleFilter:
    """Which live articles are chosen; empty is all. All conditions hold together."""

    types: tuple[str, ...] = ()
    language: str = ""
    tags: tuple[str, ...] = ()
    slugs: tuple[str, ...] = ()
    book: str = ""  # imported with this lorebook
    text: str = ""  # in title or body, upper and lower case alike

    def choose(self, rows: QuerySet[Publication]) -> QuerySet[Publication]:
        """Those of the publications that the filter chooses."""
        if self.types:
            rows = rows.filter(type__in=self.types)
        if self.language:
            rows = rows.filter(revision__language=self.language)
        if self.tags:
            rows = rows.filter(tags__contains=list(self.tags))
        if self.slugs:
            rows = rows.filter(slug__in=self.slugs)
        if self.book:
            rows = rows.filter(revision__lorebook_origin__book=self.book)
        if self.text:
            rows = rows.filter(title__icontains=self.text) | rows.filter(revision__body__icontains=self.text)
        return rows


def preview_bulk_edit(domain_index_id: int, chosen: ArticleFilter, edit: BulkEdit) -> BulkPreview:
    """Every article that would change, in the order of slugs. Writes nothing. Raises TooManyHits."""
    return build_preview(_find_documents(domain_index_id, chosen, edit))


def _find_documents(domain_index_id: int, chosen: ArticleFilter, edit: BulkEdit) -> Iterator[ChangedDocument]:
    rows = chosen.choose(list_live_publications(domain_index_id)).order_by("slug")
    for publication in rows.iterator(chunk_size=500):
        before = read_article(publication.revision)
        article, problem = None, ""
        try:
            article = parse_article(edit.apply(before.as_content()))
        except InvalidArticle as error:
            problem = error.detail
        if article is not None and article.content_hash() == before.content_hash():
            continue
        yield ChangedDocument(
            document_id=publication.document_id,
            revision_id=publication.revision_id,
            slug=publication.slug,
            title=publication.title,
            hits=(),
            article=article,
            problem=problem,
            publication=publication,
        )
