"""From approved requests to a staged release, and back when it is discarded."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from knowledge.canon.actions import discard_release, retry_release, start_release
from knowledge.canon.core.article import parse_article
from knowledge.canon.core.edits import Edit
from knowledge.canon.models import PUBLIC, DomainIndex, LoreRevision, Release
from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_domain_index, get_release, lock_change_requests, lock_items
from reviews.actions.task_queue import enqueue_staging
from reviews.audit.actions import describe_canary_end, describe_release, write_audit
from reviews.change_requests.actions.bases import check_items_against_live
from reviews.change_requests.actions.transitions import move_requests, require_reason, require_state
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.models import ChangeItem, ChangeKind, ChangeRequest, ChangeState, Operation


def stage_approved(
    *, actor: Actor, domain_index_id: int, change_request_ids: Collection[int] | None = None, title: str = ""
) -> Release:
    """A release being built from approved requests: the named ones, or all of the domain.

    Locks the domain index, then the requests and their items in pk order. Enqueues `reviews.stage_release` on commit.
    Raises NothingToStage, WrongState, OverlappingRequests, StaleItems, SlugInUse, ReleaseInProgress.
    """
    require(actor, "stage")
    with atomic_action():
        index = get_domain_index(actor, domain_index_id, lock=True)
        requests = _lock_approved(index, change_request_ids)
        items = {request.pk: lock_items(request) for request in requests}
        _check_overlaps(requests, items)
        for request in requests:
            check_items_against_live(request, items[request.pk])
        every_item = [item for request in requests for item in items[request.pk]]
        release = start_release(
            domain_index_id=index.pk,
            edits=[_edit_of(item) for item in every_item],
            title=title.strip()[:200] or _title_of(requests, every_item),
        )
        _remember_created_documents(release, every_item)
        group = uuid.uuid4()
        move_requests(
            requests,
            ChangeState.STAGED,
            actor=actor,
            tenant_id=index.tenant_id,
            action="staged",
            group=group,
            changes={"release": release},
        )
        entry = describe_release(
            release, "started", after=release.state, change_requests=[request.pk for request in requests]
        )
        write_audit([entry], actor=actor, tenant_id=index.tenant_id, group=group)
        enqueue_staging(release.pk)
    return release


def discard_stage(*, actor: Actor, release_id: int, reason: str) -> Release:
    """The release, thrown away before it went live; its requests are approved again, unstaged.

    Locks the domain index, then the requests in pk order.
    """
    require(actor, "discard")
    reason = require_reason(reason)
    with atomic_action():
        release = get_release(actor, release_id, lock=True)
        before = release.state
        canary = describe_canary_end(get_domain_index(actor, release.domain_index_id).canary_percent)
        requests = lock_requests_of([release.pk], ChangeState.STAGED)
        group = uuid.uuid4()
        move_requests(
            requests,
            ChangeState.APPROVED,
            actor=actor,
            tenant_id=release.tenant_id,
            action="unstaged",
            group=group,
            reason=reason,
            changes={"release": None},
        )
        discard_release(release.pk)
        release.refresh_from_db()
        entry = describe_release(release, "discarded", before=before, after=release.state, **canary)
        write_audit([entry], actor=actor, tenant_id=release.tenant_id, group=group, reason=reason)
    return release


def retry_staging(*, actor: Actor, release_id: int) -> Release:
    """The failed release, being built again from where it stopped. Locks the domain index. Enqueues on commit.

    Raises ReleaseNotReady unless the build has failed.
    """
    require(actor, "stage")
    with atomic_action():
        release = get_release(actor, release_id, lock=True)
        before = release.state
        retry_release(release.pk)
        release.refresh_from_db()
        entry = describe_release(release, "build_retried", before=before, after=release.state)
        write_audit([entry], actor=actor, tenant_id=release.tenant_id)
        enqueue_staging(release.pk)
    return release


def lock_requests_of(release_ids: Collection[int], *states: ChangeState) -> list[ChangeRequest]:
    """The requests that the releases carry, in one of the states, row-locked in pk order."""
    ids = ChangeRequest.objects.filter(release_id__in=release_ids, state__in=states).values_list("pk", flat=True)
    return [
        request
        for request in lock_change_requests(list(ids))
        if request.release_id in release_ids and request.state in states
    ]


def _lock_approved(index: DomainIndex, ids: Collection[int] | None) -> list[ChangeRequest]:
    mine = ChangeRequest.objects.filter(domain_index=index, kind=ChangeKind.CANON)
    if ids is None:
        wanted = list(mine.filter(state=ChangeState.APPROVED).values_list("pk", flat=True))
    else:
        wanted = list(mine.filter(pk__in=set(ids)).values_list("pk", flat=True))
        missing = sorted(set(ids) - set(wanted))
        if missing:
            raise errors.UnknownChangeRequest(f"There is no change request {missing[0]} in this domain.")
    requests = lock_change_requests(wanted)
    if ids is None:
        requests = [request for request in requests if request.state == ChangeState.APPROVED]
    for request in requests:
        require_state(request, ChangeState.APPROVED)
    if not requests:
        raise errors.NothingToStage("No approved change request waits in this domain.")
    return requests


def _check_overlaps(requests: Sequence[ChangeRequest], items: dict[int, list[ChangeItem]]) -> None:
    """One release takes one change of an article: the other request must be rebased on it first."""
    holder: dict[int | str, ChangeItem] = {}
    overlaps = []
    for request in requests:
        for item in items[request.pk]:
            keys: list[int | str] = [] if item.operation == Operation.RETIRE else [item.slug]
            keys += [] if item.document_id is None else [item.document_id]
            clash = next((holder[key] for key in keys if key in holder), None)
            if clash is not None:
                overlaps.append({"slug": item.slug, "change_requests": [clash.change_request_id, request.pk]})
            holder |= dict.fromkeys(keys, item)
    if overlaps:
        slugs = ", ".join(repr(each["slug"]) for each in overlaps)
        raise errors.OverlappingRequests(
            f"Several of these requests change {slugs}. Stage one, then rebase the others on it.", overlaps=overlaps
        )


def _edit_of(item: ChangeItem) -> Edit:
    article = None if item.operation == Operation.RETIRE else parse_article(item.content)
    return Edit(document_id=item.document_id, article=article, base_revision_id=item.base_revision_id)


def _title_of(requests: Sequence[ChangeRequest], items: Sequence[ChangeItem]) -> str:
    """The first request's title; every reader sees it, so what touches something secret is told by number alone."""
    bases = [item.base_revision_id for item in items if item.base_revision_id is not None]
    is_secret = any(PUBLIC not in item.content.get("audience", [PUBLIC]) for item in items if item.content)
    if is_secret or LoreRevision.objects.filter(pk__in=bases).exclude(audience__contains=[PUBLIC]).exists():
        return "Change requests " + ", ".join(f"#{request.pk}" for request in requests[:20])
    more = f" and {len(requests) - 1} more" if len(requests) > 1 else ""
    return f"{requests[0].title[: 200 - len(more)]}{more}"


def _remember_created_documents(release: Release, items: Sequence[ChangeItem]) -> None:
    """Note on items that create an article which document it has become."""
    created = {item.slug: item for item in items if item.operation == Operation.CREATE and item.document_id is None}
    if not created:
        return
    documents = release.edits.filter(revision__slug__in=created).values_list("revision__slug", "document_id")
    changed = []
    for slug, document_id in documents:
        created[slug].document_id = document_id
        changed.append(created[slug])
    ChangeItem.objects.bulk_update(changed, ["document"], batch_size=1000)
