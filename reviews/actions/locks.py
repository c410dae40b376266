"""Row locks of review. Their order everywhere: domain index, change requests by pk, items by pk, then canon's own."""

from __future__ import annotations

from collections.abc import Collection

from knowledge.canon.models import DomainIndex, Release
from reviews.core.actor import Actor
from reviews.errors import UnknownChangeRequest, UnknownDomainIndex, UnknownStage
from reviews.models import ChangeItem, ChangeRequest, NpcChangeItem


def lock_change_request(actor: Actor, change_request_id: int) -> ChangeRequest:
    """The change request, row-locked. Raises UnknownChangeRequest for other tenants' and other worlds' too."""
    requests = ChangeRequest.objects.select_for_update(of=("self",)).select_related("domain_index", "author_key")
    if actor.tenant_id is not None:
        requests = requests.filter(tenant_id=actor.tenant_id)
    if actor.world_id is not None:
        requests = requests.filter(domain_index__world_id=actor.world_id)
    request = requests.filter(pk=change_request_id).first()
    if request is None:
        raise UnknownChangeRequest(f"There is no change request {change_request_id}.")
    return request


def lock_change_requests(ids: Collection[int]) -> list[ChangeRequest]:
    """The change requests, row-locked in pk order."""
    return list(ChangeRequest.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk"))


def lock_items(change_request: ChangeRequest) -> list[ChangeItem]:
    """All items of a locked request, row-locked in pk order."""
    return list(change_request.items.select_for_update(of=("self",)).order_by("pk"))


def lock_npc_items(change_request: ChangeRequest) -> list[NpcChangeItem]:
    """All NPC items of a locked request, row-locked in pk order."""
    return list(change_request.npc_items.select_for_update(of=("self",)).order_by("pk"))


def get_domain_index(actor: Actor, domain_index_id: int, *, lock: bool = False) -> DomainIndex:
    """The domain index, row-locked on request. Raises UnknownDomainIndex."""
    indexes = DomainIndex.objects.filter(pk=domain_index_id)
    if actor.tenant_id is not None:
        indexes = indexes.filter(tenant_id=actor.tenant_id)
    if actor.world_id is not None:
        indexes = indexes.filter(world_id=actor.world_id)
    if lock:
        indexes = indexes.select_for_update(no_key=True)
    index = indexes.first()
    if index is None:
        raise UnknownDomainIndex(f"There is no domain index {domain_index_id}.")
    return index


def get_release(actor: Actor, release_id: int, *, lock: bool = False) -> Release:
    """The release; with ``lock`` its domain index is row-locked first. Raises UnknownStage."""
    releases = Release.objects.select_related("domain_index").filter(pk=release_id)
    if actor.tenant_id is not None:
        releases = releases.filter(tenant_id=actor.tenant_id)
    release = releases.first()
    if release is None:
        raise UnknownStage(f"There is no release with id {release_id}.")
    if lock:
        get_domain_index(actor, release.domain_index_id, lock=True)
        release.refresh_from_db()
    return release
