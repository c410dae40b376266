"""Canon as a lorebook: the live articles of a domain, as far as the reader may know them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.canon.models import DomainIndex
from knowledge.canon.selectors.documents import Audience, list_publications
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.revisions import read_article
from knowledge.lorebooks.core.book import Book
from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.files import LoreFile
from knowledge.lorebooks.limits import MAX_ENTRIES
from reviews.lorebooks.core.articles import make_entry


@dataclass(frozen=True, slots=True)
class ExportFilter:
    """Which articles go into the book; empty is all."""

    types: tuple[str, ...] = ()
    language: str = ""
    tags: tuple[str, ...] = ()
    slugs: tuple[str, ...] = ()


def find_domain_index(*, world_id: int, domain: str) -> DomainIndex | None:
    """The world's index of the domain; None where nothing was ever proposed for it. One query."""
    return DomainIndex.objects.filter(world_id=world_id, domain=domain).first()


def build_world_book(
    release: ResolvedRelease, *, name: str, audience: Audience, chosen: ExportFilter | None = None
) -> LoreFile:
    """The articles of the release as a book, by slug; articles that the reader may not know are not in it.

    Three queries at most. Links to articles that the reader may not know show their slug. Raises WorldInfoInvalid if
    the book would be larger than one may be.
    """
    chosen = chosen or ExportFilter()
    rows = list_publications(release, audience)
    if chosen.types:
        rows = rows.filter(type__in=chosen.types)
    if chosen.language:
        rows = rows.filter(revision__language=chosen.language)
    if chosen.tags:
        rows = rows.filter(tags__contains=list(chosen.tags))
    if chosen.slugs:
        rows = rows.filter(slug__in=chosen.slugs)
    found = list(rows.select_related("revision").order_by("slug")[: MAX_ENTRIES + 1])
    if len(found) > MAX_ENTRIES:
        raise WorldInfoInvalid(f"would have more than {MAX_ENTRIES} entries: choose by tags, type or language")
    articles = [read_article(row.revision) for row in found]
    mentioned = {slug for article in articles for slug in article.mentions()}
    titles = find_titles(release, audience, sorted(mentioned)) if mentioned else {}
    entries = tuple(make_entry(article, titles, index=index) for index, article in enumerate(articles))
    return LoreFile(FileFormat.SILLYTAVERN, Book(entries=entries, name=name))


def find_titles(release: ResolvedRelease, audience: Audience, slugs: Sequence[str]) -> dict[str, str]:
    """Titles by slug, of those that the reader may know."""
    return dict(list_publications(release, audience).filter(slug__in=slugs).values_list("slug", "title"))
