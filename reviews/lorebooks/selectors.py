"""Canon as a lorebook: the live articles of a domain, as far as the reader may know them."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.canon.models import PUBLIC, DomainIndex
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.documents import Audience, list_publications
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.canon.selectors.revisions import read_article
from knowledge.lorebooks.core.book import Book
from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.files import LoreFile
from knowledge.lorebooks.limits import MAX_ENTRIES
from reviews.change_requests.selectors.bulk_edits import ArticleFilter
from reviews.lorebooks.core.world_books import build_imported_book, make_book_entry


def find_domain_index(*, world_id: int, domain: str) -> DomainIndex | None:
    """The world's index of the domain; None where nothing was ever proposed for it. One query."""
    return DomainIndex.objects.filter(world_id=world_id, domain=domain).first()


def export_domain(
    *, world_id: int, world_slug: str, domain: str, chosen: ArticleFilter, npc_id: str = "", has_secrets: bool = False
) -> LoreFile:
    """The live articles of a domain as a book: public ones, with an NPC's id those that it may know, or all.

    Raises UnknownDomain, UnknownAlias, WorldInfoInvalid.
    """
    release = resolve_release(world_id=world_id, domain=domain)
    audience: Audience = (PUBLIC,)
    if has_secrets:
        audience = None
    elif npc_id:
        audience = get_npc_audience(world_id, npc_id, release=release)
    return build_world_book(release, name=f"{world_slug} {domain}", audience=audience, chosen=chosen)


def build_world_book(
    release: ResolvedRelease, *, name: str, audience: Audience, chosen: ArticleFilter | None = None
) -> LoreFile:
    """The articles of the release as a book, by slug; articles that the reader may not know are not in it.

    An imported article brings along what its file said beside it. Links to articles that the reader may not know show
    their slug. Three queries at most. Raises WorldInfoInvalid if the book would be larger than one may be.
    """
    chosen = chosen or ArticleFilter()
    rows = chosen.choose(list_publications(release, audience))
    found = list(rows.select_related("revision").order_by("slug")[: MAX_ENTRIES + 1])
    if len(found) > MAX_ENTRIES:
        raise WorldInfoInvalid(f"would have more than {MAX_ENTRIES} entries: choose by tags, type or language")
    articles = [read_article(row.revision) for row in found]
    mentioned = {slug for article in articles for slug in article.mentions()}
    titles = find_titles(release, audience, sorted(mentioned)) if mentioned else {}
    if chosen.book:
        return build_imported_book(articles, titles, chosen.book)
    entries = tuple(make_book_entry(article, titles, index) for index, article in enumerate(articles))
    return LoreFile(FileFormat.SILLYTAVERN, Book(entries=entries, name=name))


def find_titles(release: ResolvedRelease, audience: Audience, slugs: Sequence[str]) -> dict[str, str]:
    """Titles by slug, of those that the reader may know."""
    return dict(list_publications(release, audience).filter(slug__in=slugs).values_list("slug", "title"))
