"""Which end users a tenant, or one of its worlds, has met."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Max, Min, QuerySet

from episodes.facts.selectors.worlds import met_in_world
from episodes.models import Conversation
from tenancy.models import EndUser


@dataclass(frozen=True, slots=True)
class MetUser:
    """An end user, and when they came and spoke: in the world asked about, or in any."""

    user_id: str
    first_seen_at: dt.datetime | None
    """None where a world knows the user without a conversation."""
    last_seen_at: dt.datetime | None
    """When their last message came; None before the first."""


def list_met_users(*, tenant_id: int, world_id: int | None = None, after: str = "", limit: int = 50) -> list[MetUser]:
    """The tenant's users in the order of their ids, or those that one world has met; none who is erased. Two queries.

    `after` is the id of the last one of the page before. With `world_id` nothing tells of other worlds.
    """
    users = EndUser.objects.filter(tenant_id=tenant_id, erased_in__isnull=True, external_id__gt=after)
    talks = Conversation.objects.filter(tenant_id=tenant_id)
    if world_id is not None:
        users = users.filter(met_in_world(tenant_id, world_id))
        talks = talks.filter(world_id=world_id)
    found = list(users.order_by("external_id").values_list("pk", "external_id", "created_at")[:limit])
    times = _read_times(talks.filter(end_user_id__in=[pk for pk, _, _ in found]))
    return [
        MetUser(user_id, created_at if world_id is None else first, last)
        for pk, user_id, created_at in found
        for first, last in [times.get(pk, (None, None))]
    ]


def _read_times(talks: QuerySet[Conversation]) -> dict[int, tuple[dt.datetime, dt.datetime | None]]:
    """User to when the first of the conversations was opened and the last message of them came."""
    rows = talks.order_by().values("end_user_id").annotate(first=Min("created_at"), last=Max("last_message_at"))
    return {row["end_user_id"]: (row["first"], row["last"]) for row in rows}
