"""A whole proposal at once, as machines send it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from knowledge.canon.actions.domain_indexes import ensure_domain_index
from reviews.change_requests.actions.drafts import create_change_request, save_item
from reviews.change_requests.actions.review import submit_change_request
from reviews.core.actor import Actor
from reviews.errors import DocumentNotLive
from reviews.models import ChangeRequest, Operation
from reviews.releases.selectors.live import find_live_by_slug


@dataclass(frozen=True, slots=True)
class ProposedItem:
    """What a proposal does to one article: `slug` names a live one, `content` is the article after the change."""

    operation: str
    slug: str | None = None
    content: Mapping[str, Any] | None = None


def propose_change(
    *,
    actor: Actor,
    world_id: int,
    domain: str,
    title: str,
    items: Sequence[ProposedItem],
    description: str = "",
    is_draft: bool = False,
) -> ChangeRequest:
    """A change request with all its items, in review unless it is to stay a draft; nothing at all if one item fails.

    Raises what the actions of a draft raise, and UnknownDomain.
    """
    with transaction.atomic():
        index = ensure_domain_index(world_id=world_id, domain=domain)
        request = create_change_request(actor=actor, domain_index_id=index.pk, title=title, description=description)
        live = find_live_by_slug(index.pk, {item.slug for item in items if item.slug is not None})
        for item in items:
            document_id = None
            if item.operation != Operation.CREATE:
                if item.slug not in live:
                    raise DocumentNotLive(f"No article {item.slug!r} is live in this domain.", slug=item.slug)
                document_id = live[item.slug].document_id
            content = None if item.operation == Operation.RETIRE else item.content
            save_item(actor=actor, change_request_id=request.pk, content=content, document_id=document_id)
        if not is_draft:
            request = submit_change_request(actor=actor, change_request_id=request.pk)
    return request
