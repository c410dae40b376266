"""One change request as a reviewer reads it: each item against what is live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.canon.models import Publication
from knowledge.canon.selectors.revisions import read_article
from knowledge.text.diff import DiffSpan, diff_words
from reviews.core.actor import Actor
from reviews.core.items import hash_items
from reviews.errors import UnknownChangeRequest
from reviews.models import ChangeItem, ChangeRequest, Operation, ReviewComment
from reviews.selectors.bases import is_stale
from reviews.selectors.items import facts_of
from reviews.selectors.live import find_live_by_document
from reviews.selectors.queues import OPEN_STATES, list_change_requests

CONTEXT_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field besides the body: what is live, and what would be."""

    name: str
    live: Any
    proposed: Any


@dataclass(frozen=True, slots=True)
class ItemDetail:
    """One item: its difference from the live article, and whether its base is still live."""

    item: ChangeItem
    live: Publication | None
    body: tuple[DiffSpan, ...]
    fields: tuple[FieldChange, ...]
    stale: bool
    other_request_ids: tuple[int, ...]
    """Open requests on the same article."""


@dataclass(frozen=True, slots=True)
class RequestDetail:
    """A change request with all that a verdict rests on; `items_hash` pins an approval to it."""

    request: ChangeRequest
    items: tuple[ItemDetail, ...]
    comments: tuple[ReviewComment, ...]
    items_hash: str
    stale: bool


def get_change_request(actor: Actor, change_request_id: int) -> ChangeRequest:
    """The request, if the actor may see it. Raises UnknownChangeRequest."""
    request = list_change_requests(actor).filter(pk=change_request_id).first()
    if request is None:
        raise UnknownChangeRequest(f"There is no change request {change_request_id}.")
    return request


def get_request_detail(actor: Actor, change_request_id: int) -> RequestDetail:
    """The request with its items against what is live now. Six queries, however many items."""
    request = get_change_request(actor, change_request_id)
    items = list(request.items.all())
    document_ids = [item.document_id for item in items if item.document_id is not None]
    live = find_live_by_document(request.domain_index_id, document_ids)
    others = _find_other_requests(request, document_ids)
    details = tuple(_describe(item, live, others) for item in items)
    return RequestDetail(
        request=request,
        items=details,
        comments=tuple(request.comments.select_related("author")),
        items_hash=hash_items(map(facts_of, items)),
        stale=request.state in OPEN_STATES and any(detail.stale for detail in details),
    )


def _describe(item: ChangeItem, live: Mapping[int, Publication], others: Mapping[int, list[int]]) -> ItemDetail:
    publication = live.get(item.document_id) if item.document_id is not None else None
    before = read_article(publication.revision).as_content() if publication is not None else {}
    after = {} if item.operation == Operation.RETIRE else item.content
    return ItemDetail(
        item=item,
        live=publication,
        body=tuple(diff_words(before.get("body", ""), after.get("body", ""), context_characters=CONTEXT_CHARACTERS)),
        fields=tuple(
            FieldChange(name=name, live=before.get(name), proposed=after.get(name))
            for name in dict.fromkeys([*before, *after])
            if name != "body" and before.get(name) != after.get(name)
        ),
        stale=is_stale(item, live),
        other_request_ids=tuple(others.get(item.document_id, [])) if item.document_id is not None else (),
    )


def _find_other_requests(request: ChangeRequest, document_ids: list[int]) -> dict[int, list[int]]:
    """Document id to the other open requests that would change it."""
    pairs = (
        ChangeItem.objects.filter(document_id__in=document_ids, change_request__state__in=OPEN_STATES)
        .exclude(change_request=request)
        .order_by("change_request_id")
        .values_list("document_id", "change_request_id")
    )
    found: dict[int, list[int]] = {}
    for document_id, request_id in pairs:
        if document_id is not None:
            found.setdefault(document_id, []).append(request_id)
    return found
