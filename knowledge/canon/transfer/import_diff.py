"""What an import would change: each article beside what is live under its slug."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import QuerySet

from knowledge.canon.core.drafts import Refusal
from knowledge.canon.models import LoreRevision, Publication, Release, ReleaseEdit, ReleaseState
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.revisions import keep_origin
from knowledge.canon.transfer.article_stream import ReadArticle
from knowledge.canon.transfer.report import CREATED, UNCHANGED, UPDATED

ARTICLE_BATCH_SIZE = 200


@dataclass(frozen=True, slots=True)
class Compared:
    """An article of an import, what would become of it, and the revision that it would replace."""

    read: ReadArticle
    outcome: str
    live: LoreRevision | None


def compare_articles(found: Iterable[ReadArticle | Refusal], release: Release | None) -> Iterator[Compared | Refusal]:
    """Each article beside the revision that the release has under its slug, in order; refusals pass through.

    The release is a published one or one that is being built; None stands for an empty domain.
    """
    source = iter(found)
    while batch := list(islice(source, ARTICLE_BATCH_SIZE)):
        slugs = [each.article.slug for each in batch if isinstance(each, ReadArticle)]
        known = _find_revisions(release, slugs) if release is not None else {}
        for each in batch:
            yield _compare(each, known) if isinstance(each, ReadArticle) else each


def count_documents(release: Release) -> int:
    """How many documents the release has, or will have once it is built."""
    return _list_revisions(release).count()


def _compare(read: ReadArticle, known: dict[str, LoreRevision]) -> Compared:
    live = known.get(read.article.slug)
    if live is None:
        return Compared(read, CREATED, None)
    read = replace(read, article=keep_origin(read.article, live))
    same = bytes(live.content_hash) == read.article.content_hash()
    return Compared(read, UNCHANGED if same else UPDATED, live)


def _find_revisions(release: Release, slugs: list[str]) -> dict[str, LoreRevision]:
    return {
        revision.slug: revision
        for revision in _list_revisions(release)
        .filter(slug__in=slugs)
        .only("slug", "title", "source", "content_hash", "document_id", "number", "lorebook_origin")
    }


def _list_revisions(release: Release) -> QuerySet[LoreRevision]:
    if release.state == ReleaseState.PUBLISHED:
        live = Publication.objects.filter(live_in(release.number), domain_index_id=release.domain_index_id)
        return LoreRevision.objects.filter(pk__in=live.values("revision_id"))
    edits = ReleaseEdit.objects.filter(release=release, revision__isnull=False)
    return LoreRevision.objects.filter(pk__in=edits.values("revision_id"))
