"""Many changes at once: search and replace over live articles, one edit for all that a filter chooses, and imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from knowledge.canon.core.article import Article
from knowledge.canon.models import Publication
from knowledge.canon.selectors.revisions import keep_origin
from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_domain_index
from reviews.audit.actions import describe_request, write_audit
from reviews.change_requests.actions.drafts import create_change_request, make_item, make_live_item
from reviews.change_requests.core.bulk_edits import BulkEdit
from reviews.change_requests.selectors.bulk_edits import ArticleFilter, preview_bulk_edit
from reviews.change_requests.selectors.bulk_replace import BulkPreview, Replacement, preview_bulk_replace
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.models import ChangeItem, ChangeRequest
from reviews.releases.selectors.live import find_live_by_slug

ARTICLES_A_REQUEST = 500


@dataclass
class ImportCounts:
    """What came of an import."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    change_request_ids: list[int] = field(default_factory=list)


def create_bulk_replace(
    *,
    actor: Actor,
    domain_index_id: int,
    replacement: Replacement,
    title: str,
    description: str = "",
    expected_fingerprint: str | None = None,
) -> ChangeRequest:
    """A draft with one item for each article that the replacement changes.

    The articles are read and changed outside the transaction; each item is pinned to the revision that it was made
    from. With ``expected_fingerprint`` (from the preview) it is refused when the outcome would differ from what was
    shown. Raises NothingToChange, ItemsChanged, InvalidPattern, TooManyHits, InvalidField.
    """
    require(actor, "create")
    get_domain_index(actor, domain_index_id)
    preview = preview_bulk_replace(domain_index_id, replacement)
    return _create_from_preview(
        actor,
        domain_index_id,
        preview,
        expected_fingerprint,
        title=title,
        description=description,
        event="bulk_replaced",
        field="replacement",
        hits=preview.hit_count,
        search=replacement.search,
        replacement=replacement.replacement[:500],
        regex=replacement.regex,
        fields=list(replacement.fields),
    )


def create_bulk_edit(
    *,
    actor: Actor,
    domain_index_id: int,
    chosen: ArticleFilter,
    edit: BulkEdit,
    title: str,
    description: str = "",
    expected_fingerprint: str | None = None,
) -> ChangeRequest:
    """A draft with one item for each chosen article that the edit changes; otherwise as `create_bulk_replace`.

    Raises NothingToChange, ItemsChanged, TooManyHits, InvalidField.
    """
    require(actor, "create")
    get_domain_index(actor, domain_index_id)
    if not edit:
        raise errors.InvalidField("Say what is to change.", field="edit")
    preview = preview_bulk_edit(domain_index_id, chosen, edit)
    said = {name: value for name, value in (asdict(chosen) | {"edit": asdict(edit)}).items() if value}
    return _create_from_preview(
        actor,
        domain_index_id,
        preview,
        expected_fingerprint,
        title=title,
        description=description,
        event="bulk_edited",
        field="edit",
        **said,
    )


def _create_from_preview(
    actor: Actor,
    domain_index_id: int,
    preview: BulkPreview,
    expected_fingerprint: str | None,
    *,
    title: str,
    description: str,
    event: str,
    field: str,
    **told: Any,
) -> ChangeRequest:
    """The draft of what a preview shows. Raises NothingToChange, ItemsChanged, InvalidField."""
    if expected_fingerprint is not None and expected_fingerprint != preview.fingerprint:
        raise errors.ItemsChanged("The articles have changed since the preview: look at it again.")
    if not preview.documents:
        raise errors.NothingToChange("No live article would change.")
    broken = [{"slug": each.slug, "problem": each.problem} for each in preview.documents if each.problem]
    if broken:
        raise errors.InvalidField(
            f"{len(broken)} articles would not be valid any more, the first {broken[0]['slug']!r}: "
            f"{broken[0]['problem']}",
            field=field,
            articles=broken[:50],
        )
    with atomic_action():
        request = create_change_request(
            actor=actor, domain_index_id=domain_index_id, title=title, description=description
        )
        items = [make_live_item(request, each.publication, each.article) for each in preview.documents]
        ChangeItem.objects.bulk_create(items, batch_size=200)
        entry = describe_request(
            request, event, before=request.state, after=request.state, articles=preview.document_count, **told
        )
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return request


def create_change_requests_from_articles(
    *,
    actor: Actor,
    domain_index_id: int,
    articles: Iterable[Article],
    title: str,
    description: str = "",
    batch_size: int = ARTICLES_A_REQUEST,
) -> ImportCounts:
    """Drafts that bring the live canon to what the articles say, one for each batch that changes something.

    An article whose slug is live becomes an update, or nothing when it says the same; any other is created. The
    articles are taken one batch at a time; each batch is one transaction. Raises SlugInUse for a slug that comes twice
    (batches before it stand).
    """
    require(actor, "create")
    get_domain_index(actor, domain_index_id)
    counts = ImportCounts()
    seen: set[str] = set()
    for part, batch in enumerate(_take_batches(articles, batch_size), start=1):
        for article in batch:
            if article.slug in seen:
                raise errors.SlugInUse(f"The slug {article.slug!r} comes twice in the import.", slugs=[article.slug])
            seen.add(article.slug)
        name = title if part == 1 else f"{title[:180]} (part {part})"
        _import_batch(counts, actor, domain_index_id, batch, title=name, description=description)
    return counts


def _is_changed(article: Article, live: Publication) -> bool:
    return keep_origin(article, live.revision).content_hash() != bytes(live.revision.content_hash)


def _import_batch(
    counts: ImportCounts,
    actor: Actor,
    domain_index_id: int,
    batch: Sequence[Article],
    *,
    title: str,
    description: str,
) -> None:
    live = find_live_by_slug(domain_index_id, [article.slug for article in batch])
    changed = [article for article in batch if article.slug not in live or _is_changed(article, live[article.slug])]
    counts.unchanged += len(batch) - len(changed)
    if not changed:
        return
    with atomic_action():
        request = create_change_request(
            actor=actor, domain_index_id=domain_index_id, title=title, description=description
        )
        items = [
            make_live_item(request, live[article.slug], article)
            if article.slug in live
            else make_item(request, article)
            for article in changed
        ]
        ChangeItem.objects.bulk_create(items, batch_size=200)
        updated = sum(1 for item in items if item.document_id is not None)
        entry = describe_request(
            request,
            "imported",
            before=request.state,
            after=request.state,
            created=len(items) - updated,
            updated=updated,
        )
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    counts.created += len(items) - updated
    counts.updated += updated
    counts.change_request_ids.append(request.pk)


def _take_batches(articles: Iterable[Article], size: int) -> Iterator[list[Article]]:
    source = iter(articles)
    while batch := list(islice(source, max(1, size))):
        yield batch
