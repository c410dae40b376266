"""The release board of a world's domain: what is live, what is on the stage, and how one becomes the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from factcheck.extraction.errors import ConfirmationMissing
from knowledge.canon.models import DomainIndex, Release
from knowledge.canon.models.releases import MAX_CANARY_PERCENT
from knowledge.errors import InvalidCanaryShare
from memoryproject.admin.flash import flash_outcome
from memoryproject.admin.pages import show_page
from reviews.admin.common import get_actor, get_domain_index_or_404, list_allowed, list_domain_indexes
from reviews.core.actor import Actor
from reviews.errors import NothingChosen
from reviews.golden.actions.gate import override_gate, rerun_gate
from reviews.releases.actions.releases import roll_back_release, set_canary, swap_release
from reviews.releases.actions.stage import discard_stage, retry_staging, stage_approved
from reviews.releases.selectors.boards import describe_progress, find_stage, get_board, list_cards
from tenancy.admin.access import get_or_404


def boards_view(request: HttpRequest) -> HttpResponse:
    """All boards of the person's worlds; straight to the board when there is only one."""
    indexes = list(list_domain_indexes(request.user))
    if len(indexes) == 1:
        return HttpResponseRedirect(reverse("admin:board", args=[indexes[0].pk]))
    return show_page(request, "boards.html", "Releases", cards=list_cards(indexes))


def board_view(request: HttpRequest, index_id: int) -> HttpResponse:
    """The board of one domain."""
    index = get_domain_index_or_404(request.user, index_id)
    actor = get_actor(request, index.tenant_id)
    board = get_board(index)
    return show_page(
        request,
        "board.html",
        f"Releases of {index}",
        index=index,
        **{field.name: getattr(board, field.name) for field in fields(board)},
        can=list_allowed(actor, ("stage", "swap", "discard", "roll_back", "override_gate", "set_canary")),
    )


def board_progress_view(request: HttpRequest, index_id: int) -> JsonResponse:
    """How far the release on the stage is; `stamp` changes when the page should be read anew."""
    index = get_domain_index_or_404(request.user, index_id)
    stage = find_stage(index)
    if stage is None:
        return JsonResponse({"stamp": "", "step": "", "percent": 100})
    return JsonResponse(describe_progress(stage))


@require_POST
def board_action_view(request: HttpRequest, index_id: int, verb: str) -> HttpResponse:
    """Does one thing with the domain's releases, then shows the board with a word on what happened."""
    index = get_domain_index_or_404(request.user, index_id)
    perform = VERBS.get(verb)
    if perform is None:
        raise Http404
    flash_outcome(request, lambda: perform(get_actor(request, index.tenant_id), index, request))
    return HttpResponseRedirect(reverse("admin:board", args=[index.pk]))


def _get_stage(index: DomainIndex, request: HttpRequest) -> Release:
    """The release that the form is about; it may have left the stage meanwhile, which the actions notice."""
    text = request.POST.get("release", "")
    if not text.isdecimal():
        raise Http404
    release: Release = get_or_404(Release.objects.all(), request.user, pk=int(text[:18]), domain_index=index)
    return release


def _require_typed(request: HttpRequest, wanted: str) -> None:
    typed = request.POST.get("typed", "").strip()
    if typed != wanted:
        raise ConfirmationMissing(f"To confirm, type {wanted}. Nothing was changed.")


def _stage(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    ids = [int(text) for text in request.POST.getlist("request") if text.isdecimal()]
    if not ids:
        raise NothingChosen("Choose at least one approved request.")
    release = stage_approved(
        actor=actor, domain_index_id=index.pk, change_request_ids=ids, title=request.POST.get("title", "")
    )
    return f"Release {release.number} is being built."


def _swap(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    stage = _get_stage(index, request)
    _require_typed(request, str(stage.number))
    release = swap_release(actor=actor, release_id=stage.pk)
    return f"Release {release.number} is live."


def _roll_back(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    text = request.POST.get("number", "")
    if not text.isdecimal():
        raise NothingChosen("Choose the release to go back to.")
    _require_typed(request, index.world.slug)
    number = int(text[:9])
    roll_back_release(actor=actor, domain_index_id=index.pk, to_number=number, reason=request.POST.get("reason", ""))
    return f"Release {number} is live again."


def _discard(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    stage = _get_stage(index, request)
    _require_typed(request, str(stage.number))
    discard_stage(actor=actor, release_id=stage.pk, reason=request.POST.get("reason", ""))
    return f"Release {stage.number} is discarded; its requests are approved again and can be staged anew."


def _override(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    stage = _get_stage(index, request)
    override_gate(actor=actor, release_id=stage.pk, reason=request.POST.get("reason", ""))
    return f"The gate of release {stage.number} is open by your word; the log keeps your reason."


def _rerun(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    stage = _get_stage(index, request)
    rerun_gate(actor=actor, release_id=stage.pk)
    return "The golden queries are asked again."


def _retry(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    stage = _get_stage(index, request)
    retry_staging(actor=actor, release_id=stage.pk)
    return f"Release {stage.number} is being built again, from where it stopped."


def _set_canary(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    text = request.POST.get("percent", "")
    if not text.isdecimal():
        raise InvalidCanaryShare(f"The share is a whole number from 0 to {MAX_CANARY_PERCENT}.")
    percent, reason = int(text[:4]), request.POST.get("reason", "")
    stage = _get_stage(index, request) if request.POST.get("release") else None
    if reason and stage is not None:
        _require_typed(request, f"canary {stage.number}")
    set_canary(
        actor=actor,
        domain_index_id=index.pk,
        percent=percent,
        release_id=stage.pk if stage else None,
        override_reason=reason,
    )
    return f"{percent} % of sessions read the stage, as long as there is one." if percent else "The canary is off."


VERBS: dict[str, Callable[[Actor, DomainIndex, HttpRequest], str]] = {
    "stage": _stage,
    "swap": _swap,
    "roll-back": _roll_back,
    "discard": _discard,
    "override": _override,
    "rerun-gate": _rerun,
    "retry": _retry,
    "canary": _set_canary,
}
