"""A player's share of the second stage: what it proposed and did, what became of each message, and extraction now."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from episodes.players.admin import get_player_or_404
from factcheck.extraction.actions.sweeps import queue_manual_run
from factcheck.extraction.admin.common import count
from factcheck.extraction.models import OPEN_STATES, ExtractionRun
from factcheck.extraction.selectors.runs import count_waiting
from factcheck.extraction.selectors.stories import load_player_story
from memoryproject.admin.pages import show_page
from memoryproject.errors import ConflictError
from tenancy.models import Extraction


def player_extraction_view(request: HttpRequest, user_id: int) -> HttpResponse:
    """What the second stage made of the player's talk."""
    user = get_player_or_404(request, user_id)
    return show_page(
        request,
        "extraction_player.html",
        f"Second stage of {user.external_id}",
        player=user,
        story=load_player_story(user),
        waiting=count_waiting(tenant_id=user.tenant_id, end_user_id=user.pk),
        is_off=user.tenant.extraction == Extraction.OFF,
    )


@require_POST
def extract_now_view(request: HttpRequest, user_id: int) -> HttpResponse:
    """What waits of the player is worked off now. A second click finds the run of the first."""
    user = get_player_or_404(request, user_id)
    done = HttpResponseRedirect(reverse("admin:player_extraction", args=[user.pk]))
    if ExtractionRun.objects.filter(end_user_id=user.pk, state__in=OPEN_STATES).exists():
        messages.info(request, "A run of this player is under way.")
        return done
    try:
        waiting = queue_manual_run(tenant_id=user.tenant_id, end_user_id=user.pk)
    except ConflictError as error:
        messages.error(request, error.detail)
    else:
        messages.success(request, f"A run over {count(waiting, 'message')} is on its way. Look again in a moment.")
    return done
