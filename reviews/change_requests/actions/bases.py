"""Whether what a request was made from is still what is live."""

from __future__ import annotations

from collections.abc import Sequence

from reviews.change_requests.selectors.bases import is_stale
from reviews.errors import SlugInUse, StaleItems
from reviews.models import ChangeItem, ChangeRequest, Operation
from reviews.releases.selectors.live import find_live_by_document, find_live_by_slug

__all__ = ["check_items_against_live", "is_stale"]


def check_items_against_live(request: ChangeRequest, items: Sequence[ChangeItem], *, lock: bool = False) -> None:
    """Raise StaleItems or SlugInUse if the items can't be worked into the latest release as they are.

    With ``lock`` the alias `latest` is locked, so that the answer holds until the transaction ends.
    """
    document_ids = [item.document_id for item in items if item.document_id is not None]
    live = find_live_by_document(request.domain_index_id, document_ids, lock=lock)
    stale = [item for item in items if is_stale(item, live)]
    if stale:
        names = ", ".join(repr(item.slug) for item in stale)
        raise StaleItems(
            f"Changed by someone else since this request was begun: {names}. Rebase these items on the live text.",
            articles=[{"item": item.pk, "slug": item.slug, "document": item.document_id} for item in stale],
            remedy="rebase",
            change_request=request.pk,
        )
    _check_slugs(request, items)


def _check_slugs(request: ChangeRequest, items: Sequence[ChangeItem]) -> None:
    """No item may take a slug from a live article that the request itself does not move away."""
    kept = {item.slug: item for item in items if item.operation != Operation.RETIRE}
    leaving = {item.document_id for item in items if item.document_id is not None}
    taken = sorted(
        slug
        for slug, holder in find_live_by_slug(request.domain_index_id, list(kept)).items()
        if holder.document_id not in leaving
    )
    if taken:
        raise SlugInUse(
            f"Taken by live articles: {', '.join(map(repr, taken))}.", slugs=taken, change_request=request.pk
        )
