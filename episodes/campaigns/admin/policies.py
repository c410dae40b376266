"""Setting for how long a world remembers play. Owners only."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from episodes.campaigns.actions.campaigns import set_play_policy
from episodes.campaigns.models.campaigns import MAX_SUMMARY_TTL_DAYS, MIN_SUMMARY_TTL_DAYS
from episodes.campaigns.selectors.policies import get_summary_ttl_days
from memoryproject.admin.pages import show_page
from memoryproject.admin.row_versions import VersionedForm, lock_on_post
from tenancy.admin.access import get_or_404
from tenancy.models import Role, World


class PlayPolicyForm(VersionedForm):
    """For how long play is remembered in one world."""

    summary_ttl_days = forms.IntegerField(
        label="Days",
        min_value=MIN_SUMMARY_TTL_DAYS,
        max_value=MAX_SUMMARY_TTL_DAYS,
        help_text=f"{MIN_SUMMARY_TTL_DAYS} to {MAX_SUMMARY_TTL_DAYS}, counted from the day when a summary was stored.",
    )


@transaction.atomic
def play_policy_view(request: HttpRequest, world_id: int) -> HttpResponse:
    """The policy of a world. Of two people who save at once, the second sees what the first wrote."""
    worlds = lock_on_post(request, World.objects.select_related("tenant"))
    world: World = get_or_404(worlds, request.user, role=Role.OWNER, pk=world_id)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    form = PlayPolicyForm(request.POST or None, initial={"summary_ttl_days": get_summary_ttl_days(**place)})
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data["summary_ttl_days"]
        set_play_policy(**place, summary_ttl_days=days)
        messages.success(request, f"Summaries of {world} are found for {days} days.")
        return HttpResponseRedirect(reverse("admin:episodes_campaign_changelist"))
    return show_page(request, "play_policy.html", f"How long {world} remembers play", world=world, form=form)
