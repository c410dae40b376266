"""Moving an edit onto what is live now."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.canon.core.article import parse_article
from knowledge.canon.models import Publication
from knowledge.canon.selectors.revisions import read_article
from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.audit.actions import describe_request, write_audit
from reviews.change_requests.actions.drafts import lock_draft, touch
from reviews.change_requests.core.merge import Merge, merge_articles
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.models import ChangeItem, Operation
from reviews.releases.selectors.live import find_live_by_document


@dataclass(frozen=True, slots=True)
class Rebase:
    """What came of a rebase: `merged` tells whether the live changes are in; if not, `conflicts` are to be read."""

    item: ChangeItem
    moved: bool
    """False when the base was live already."""
    merged: bool
    conflicts: tuple[str, ...]


def rebase_item(*, actor: Actor, change_request_id: int, item_id: int) -> Rebase:
    """The item based on the live revision of its document. Locks the request and the alias `latest`.

    Where both sides changed different paragraphs and fields, the item's content takes the live changes in. Otherwise
    it keeps what its author wrote, and `conflicts` names the fields that both sides changed; the diff against live
    shows them. Raises DocumentNotLive if the document was retired: then it can only be created anew.
    """
    require(actor, "edit")
    with atomic_action():
        request = lock_draft(actor, change_request_id)
        item = request.items.select_for_update(of=("self",)).select_related("base_revision").filter(pk=item_id).first()
        if item is None:
            raise errors.UnknownItem(f"Request {request.pk} has no item {item_id}.")
        if item.operation == Operation.CREATE or item.document_id is None:
            return Rebase(item=item, moved=False, merged=True, conflicts=())
        live = find_live_by_document(request.domain_index_id, [item.document_id], lock=True).get(item.document_id)
        if live is None:
            raise errors.DocumentNotLive(f"The article {item.slug!r} is not live any more.", slug=item.slug)
        if live.revision_id == item.base_revision_id:
            return Rebase(item=item, moved=False, merged=True, conflicts=())
        before = item.base_revision_id
        conflicts = _move(item, live)
        item.save()
        touch(request)
        entry = describe_request(
            request,
            "item_rebased",
            before=str(before),
            after=str(live.revision_id),
            item=item.pk,
            slug=item.slug,
            conflicts=list(conflicts),
        )
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return Rebase(item=item, moved=True, merged=not conflicts, conflicts=conflicts)


def _move(item: ChangeItem, live: Publication) -> tuple[str, ...]:
    """Put the item on the live revision; the fields in conflict."""
    base = item.base_revision
    item.base_revision = live.revision
    if item.operation == Operation.RETIRE:
        item.slug = live.slug
        return ()
    if base is None:
        return ()
    merge: Merge = merge_articles(
        read_article(base).as_content(), item.content, read_article(live.revision).as_content()
    )
    if merge.content is None:
        return merge.conflicts
    article = parse_article(merge.content)
    item.slug, item.content = article.slug, article.as_content()
    return ()
