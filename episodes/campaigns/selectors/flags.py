"""Flags of a campaign, and what set them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Prefetch

from episodes.campaigns.core.summaries import FlagValue
from episodes.errors import UnknownCampaign
from episodes.models import Campaign, Flag, FlagChange

CHANGES_SHOWN = 20
"""So many changes of a flag are told, the last ones; the export of the campaign has all."""


@dataclass(frozen=True, slots=True)
class FlagView:
    """What a flag is now. `party_id` None: it is the whole campaign's."""

    name: str
    value: FlagValue
    party_id: str | None
    set_at: dt.datetime
    changes: tuple[FlagChangeView, ...]
    """The last ones, newest first."""


@dataclass(frozen=True, slots=True)
class FlagChangeView:
    """One setting of a flag, and the summary or event that set it."""

    old_value: FlagValue | None
    new_value: FlagValue
    happened_at: dt.datetime
    is_late: bool
    summary_id: str | None
    event_id: str | None


@dataclass(frozen=True, slots=True)
class FlagPage:
    """Flags by name; of one name first the one that was set first."""

    flags: tuple[FlagView, ...]
    next_after: str | None
    """The last name, where others follow."""


def list_flags(
    *, tenant_id: int, world_id: int, campaign_id: str, name: str | None = None, after: str = "", limit: int = 100
) -> FlagPage:
    """The campaign's flags of the next `limit` names, its own and its parties', each with its last changes.

    Four queries. Raises UnknownCampaign.
    """
    campaign = Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id).first()
    if campaign is None:
        raise UnknownCampaign(f"There is no campaign {campaign_id!r}.")
    rows = Flag.objects.filter(tenant_id=tenant_id, campaign=campaign, is_set=True, name__gt=after)
    if name is not None:
        rows = rows.filter(name=name)
    names = list(rows.order_by("name").values_list("name", flat=True).distinct()[: limit + 1])
    changes = FlagChange.objects.living().filter(tenant_id=tenant_id).select_related("summary", "event").order_by("-pk")
    flags = (
        rows.filter(name__in=names[:limit])
        .select_related("party")
        .prefetch_related(Prefetch("changes", changes[:CHANGES_SHOWN], to_attr="last_changes"))
        .order_by("name", "pk")
    )
    return FlagPage(tuple(_view(flag) for flag in flags), names[limit - 1] if len(names) > limit else None)


def _view(flag: Flag) -> FlagView:
    return FlagView(
        name=flag.name,
        value=flag.value,
        party_id=None if flag.party is None else flag.party.external_id,
        set_at=flag.set_at,
        changes=tuple(_view_change(change) for change in flag.last_changes),  # type: ignore[attr-defined]  # prefetched
    )


def _view_change(change: FlagChange) -> FlagChangeView:
    return FlagChangeView(
        old_value=change.old_value,
        new_value=change.new_value,
        happened_at=change.happened_at,
        is_late=change.is_late,
        summary_id=None if change.summary is None else change.summary.summary_id,
        event_id=None if change.event is None else change.event.event_id,
    )
