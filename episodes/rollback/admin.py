"""Checkpoints and rollbacks by hand: a dry run first, then a reason and the campaign's id, typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from episodes.errors import InvalidCampaign, RollbackNotConfirmed
from episodes.models import Campaign
from episodes.rollback.actions.checkpoints import create_checkpoint
from episodes.rollback.actions.rollbacks import RolledBack, roll_back
from episodes.rollback.core import Ref, StepChanges
from episodes.rollback.models import MAX_LABEL_LENGTH, MAX_ROLLBACK_REASON_LENGTH
from episodes.sharing.actions import revoke_hearsay
from memoryproject.admin.pages import show_page
from tenancy.admin.access import get_or_404
from tenancy.models import Role

LINES_SHOWN = 50
TITLES = {
    "members": "Members of parties",
    "summaries": "Summaries",
    "events": "Events",
    "flags": "Flags",
    "hearsay": "What NPCs were told",
    "art_cards": "Art cards",
    "dispositions": "Dispositions",
}


@require_POST
def checkpoint_view(request: HttpRequest, campaign_pk: int) -> HttpResponse:
    """A checkpoint of the campaign as it stands."""
    campaign = get_campaign_or_404(request, campaign_pk)
    label = _read_line(request, "label", MAX_LABEL_LENGTH)
    create_checkpoint(**_place(campaign), label=label, author=_name_author(request))
    messages.success(request, f"The campaign can go back to «{label}» from now on.")
    return _back(campaign)


def rollback_view(request: HttpRequest, campaign_pk: int, checkpoint_id: int) -> HttpResponse:
    """What a rollback would change; with reason and typed id, it is done."""
    campaign = get_campaign_or_404(request, campaign_pk)
    asked: dict[str, Any] = {**_place(campaign), "checkpoint_id": checkpoint_id, "author": _name_author(request)}
    if request.method == "POST":
        if request.POST.get("confirm", "").strip() != campaign.external_id:
            raise RollbackNotConfirmed("Type the campaign's id to confirm.")
        done = roll_back(**asked, reason=_read_line(request, "reason", MAX_ROLLBACK_REASON_LENGTH))
        messages.success(request, f"The campaign stands at «{done.checkpoint.label}». It can be undone below.")
        return _back(campaign)
    dry = roll_back(**asked, reason="dry run", dry_run=True)
    return show_page(
        request,
        "campaign_rollback.html",
        f"Roll back {campaign}",
        campaign=campaign,
        checkpoint=dry.checkpoint,
        dry=dry,
        kinds=_list_kinds(dry),
    )


@require_POST
def revoke_view(request: HttpRequest, campaign_pk: int, hearsay_id: int) -> HttpResponse:
    """What one NPC told another is taken back, and what was passed on of it."""
    campaign = get_campaign_or_404(request, campaign_pk)
    reason = _read_line(request, "reason", MAX_ROLLBACK_REASON_LENGTH)
    revoked = revoke_hearsay(**_place(campaign), hearsay_id=hearsay_id, reason=reason, author=_name_author(request))
    names = ", ".join(sorted({row.npc_id for row in revoked}))
    messages.success(request, f"Taken back from {names}." if revoked else "It was taken back before.")
    return _back(campaign)


def get_campaign_or_404(request: HttpRequest, campaign_pk: int) -> Campaign:
    """The campaign, if the person reviews in its tenant: what would change names players."""
    rows = Campaign.objects.select_related("world")
    campaign: Campaign = get_or_404(rows, request.user, role=Role.REVIEWER, pk=campaign_pk)
    return campaign


def _list_kinds(dry: RolledBack) -> list[tuple[str, Mapping[str, Any]]]:
    return [(TITLES.get(kind, kind), _shorten(each)) for kind, each in dry.changes.items() if each]


def _shorten(changes: StepChanges) -> Mapping[str, Any]:
    groups = {name: getattr(changes, name) for name in ("undone", "restored", "changed")}
    left = sum(max(len(rows) - LINES_SHOWN, 0) for rows in groups.values())
    return {"more": left, **{name: _write_lines(rows[:LINES_SHOWN]) for name, rows in groups.items()}}


def _write_lines(rows: Iterable[Ref]) -> list[str]:
    return [_write_line(row) for row in rows]


def _write_line(row: Ref) -> str:
    """What a row is, and where it has another value, from what to what."""
    known = {name: value for name, value in row.items() if name not in ("from", "to", "entry_id") and value is not None}
    text = " · ".join(f"{name.removesuffix('_id').replace('_', ' ')} {value}" for name, value in known.items())
    if "from" not in row:
        return text
    return f"{text}: {_write_value(row['from'])} → {_write_value(row['to'])}"


def _write_value(value: Any) -> str:
    return "not set" if value is None else str(value)


def _read_line(request: HttpRequest, name: str, length: int) -> str:
    text = " ".join(request.POST.get(name, "").split())
    if not text or len(text) > length or not text.isprintable():
        raise InvalidCampaign(f"The {name} has 1 to {length} printable characters.")
    return text


def _place(campaign: Campaign) -> dict[str, Any]:
    return {"tenant_id": campaign.tenant_id, "world_id": campaign.world_id, "campaign_id": campaign.external_id}


def _name_author(request: HttpRequest) -> str:
    return f"staff {request.user.get_username()}"


def _back(campaign: Campaign) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:episodes_campaign_change", args=[campaign.pk]))
