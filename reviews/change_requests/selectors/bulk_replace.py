"""What a search and replace over the live articles of a domain would do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.models import Publication
from knowledge.canon.selectors.revisions import read_article
from knowledge.errors import InvalidArticle
from reviews.change_requests.core.replace import Hit, make_replacer
from reviews.errors import TooManyHits
from reviews.releases.selectors.live import list_live_publications

MAX_DOCUMENTS = 2000
MAX_HITS = 20_000


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to search for and what to put there."""

    search: str
    replacement: str
    regex: bool = False
    case_sensitive: bool = True
    fields: tuple[str, ...] = ("body",)


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """One article that would change. With `problem` set it can't: the result would not be a valid article."""

    document_id: int
    revision_id: int
    slug: str
    title: str
    hits: tuple[Hit, ...]
    article: Article | None
    problem: str
    publication: Publication


@dataclass(frozen=True, slots=True)
class BulkPreview:
    """All that would change, and a fingerprint to pin the request to what was shown."""

    documents: tuple[ChangedDocument, ...]
    hit_count: int
    document_count: int
    problem_count: int
    fingerprint: str


def preview_bulk_replace(domain_index_id: int, replacement: Replacement) -> BulkPreview:
    """Every hit in the latest release, by article in the order of slugs. Writes nothing.

    Raises InvalidPattern, TooManyHits.
    """
    return build_preview(_find_documents(domain_index_id, replacement))


def build_preview(changed: Iterable[ChangedDocument]) -> BulkPreview:
    """The preview of these changes. Raises TooManyHits."""
    documents = []
    hit_count = 0
    for document in changed:
        documents.append(document)
        hit_count += len(document.hits)
        if len(documents) > MAX_DOCUMENTS or hit_count > MAX_HITS:
            raise TooManyHits(
                f"More than {MAX_DOCUMENTS} articles or {MAX_HITS} places would change: narrow the search."
            )
    return BulkPreview(
        documents=tuple(documents),
        hit_count=hit_count,
        document_count=len(documents),
        problem_count=sum(1 for document in documents if document.problem),
        fingerprint=_fingerprint(documents),
    )


def _find_documents(domain_index_id: int, wanted: Replacement) -> Iterator[ChangedDocument]:
    replacer = make_replacer(
        search=wanted.search,
        replacement=wanted.replacement,
        regex=wanted.regex,
        case_sensitive=wanted.case_sensitive,
        fields=wanted.fields,
    )
    for publication in list_live_publications(domain_index_id).order_by("slug").iterator(chunk_size=500):
        before = read_article(publication.revision)
        content, hits = replacer.replace(before.as_content())
        if not hits:
            continue
        article, problem = None, ""
        try:
            article = parse_article(content)
        except InvalidArticle as error:
            problem = error.detail
        if article is not None and article.content_hash() == before.content_hash():
            continue
        yield ChangedDocument(
            document_id=publication.document_id,
            revision_id=publication.revision_id,
            slug=publication.slug,
            title=publication.title,
            hits=hits,
            article=article,
            problem=problem,
            publication=publication,
        )


def _fingerprint(documents: Sequence[ChangedDocument]) -> str:
    digest = hashlib.sha256()
    for document in documents:
        result = document.article.content_hash() if document.article else document.problem.encode()
        digest.update(f"{document.document_id}:{document.revision_id}:".encode() + result)
    return digest.hexdigest()
