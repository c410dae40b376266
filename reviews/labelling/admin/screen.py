"""The labelling screen: one item a page, by forms alone or, with script, by keys and without reloading."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.errors import SampleGone, UnknownSample
from reviews.labelling.actions.labels import Verdict, submit_label, undo_last_label
from reviews.labelling.actions.leases import (
    GONE,
    draw_item,
    find_lease,
    keep_lease,
    skip_item,
)
from reviews.labelling.actions.wrong_facts import end_wrong_fact
from reviews.labelling.core.verdicts import NAMES, LabelVerdict, list_keys
from reviews.labelling.models import SampleLease
from reviews.labelling.selectors.aftermath import Aftermath, get_aftermath
from reviews.labelling.selectors.items import ItemView, view_item
from reviews.labelling.selectors.queue import (
    count_labels_of,
    count_open_elsewhere,
    list_languages,
    list_queues,
)
from reviews.selectors.actors import actor_of_user
from tenancy.admin.access import get_or_404, has_role, may_label
from tenancy.models import Role, Tenant

MAX_GONE = 50
"""Open items whose words went in the same moment: each is passed over."""


@require_GET
def home_view(request: HttpRequest) -> HttpResponse:
    """The tenants for which the person labels; with one, its queue at once."""
    if not may_label(request):
        raise Http404("There is nothing here.")
    queues = list_queues(request.user)
    if len(queues) == 1:
        return HttpResponseRedirect(reverse("admin:labelling", args=[queues[0].tenant.pk]))
    return show_page(request, "labelling_home.html", "Label extractions", queues=queues)


@never_cache
@require_GET
def item_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """The item that is the person's turn. With `fragment`, it alone: for a page that shows it when the time comes."""
    tenant = get_tenant_or_404(request, tenant_id)
    is_fragment = "fragment" in request.GET
    try:
        last = _find_last(request, tenant)
    except UnknownSample:
        last = None
    if last is not None and last.live_fact_id and "ask" in request.GET and not is_fragment:
        return show_page(request, "labelling_ask.html", "End the fact?", **_build_context(request, tenant, last))
    lease, item = _open_item(request, tenant)
    context = _build_context(request, tenant, last) | {"item": item, "lease": lease, "choices": _list_choices(item)}
    if item is None:
        context["open_elsewhere"] = count_open_elsewhere(tenant.pk, _get_pk(request))
    if is_fragment:
        return render(request, "memory37/labelling_item.html", context) if item else HttpResponse(status=204)
    return show_page(request, "labelling.html", "Label extractions", **context)


@require_POST
def label_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """The verdict is kept; then come confidence, others' verdicts, and the next item."""
    tenant = get_tenant_or_404(request, tenant_id)
    given = Verdict(
        verdict=request.POST.get("verdict", ""),
        missed_message_id=_read_number(request, "missed"),
        comment=request.POST.get("comment", ""),
        seconds=_read_number(request, "seconds"),
    )
    try:
        label = submit_label(
            tenant_id=tenant.pk,
            reviewer_id=_get_pk(request),
            lease_id=_read_number(request, "lease") or 0,
            given=given,
        )
    except DomainError as error:
        return _refuse(request, tenant, error)
    last = get_aftermath(tenant_id=tenant.pk, reviewer_id=_get_pk(request), label_id=label.pk)
    query: dict[str, Any] = {**_keep_queue(request), "last": label.pk}
    if last.live_fact_id:
        query["ask"] = 1
    return _go_on(request, tenant, query, last=last)


@require_POST
def undo_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """The last label is taken back, and its item is on the screen again."""
    tenant = get_tenant_or_404(request, tenant_id)
    try:
        undone = undo_last_label(tenant_id=tenant.pk, actor=actor_of_user(request.user, tenant.pk))
    except DomainError as error:
        return _refuse(request, tenant, error)
    lease, verdict = undone.lease, NAMES[LabelVerdict(undone.label.verdict)][0]
    if undone.restored_fact is not None:
        messages.success(request, "The fact that it ended holds again.")
    elif undone.ended_fact:
        messages.warning(
            request,
            "The fact that it ended stays ended: something later speaks against it, or another label does. If it is "
            "right, a reviewer states it again on the player's page.",
        )
    if lease is None:
        messages.success(request, f"Undone: {verdict}. Its words were forgotten meanwhile, so it does not come back.")
        return _go_on(request, tenant, _keep_queue(request))
    messages.success(request, f"Undone: {verdict}. The item is open again.")
    return _go_on(request, tenant, {**_keep_queue(request), "lease": lease.pk})


@require_POST
def skip_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """The item does not come back to this person."""
    tenant = get_tenant_or_404(request, tenant_id)
    try:
        skip_item(tenant_id=tenant.pk, reviewer_id=_get_pk(request), lease_id=_read_number(request, "lease") or 0)
    except DomainError as error:
        return _refuse(request, tenant, error)
    return _go_on(request, tenant, _keep_queue(request))


@require_POST
def keep_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """Whether the open item is still the person's: asked while a page is open."""
    tenant = get_tenant_or_404(request, tenant_id)
    lease_id = _read_number(request, "lease") or 0
    state = keep_lease(
        tenant_id=tenant.pk, reviewer_id=_get_pk(request), lease_id=lease_id, is_shown="shown" in request.POST
    )
    if state != GONE:
        lease = find_lease(tenant_id=tenant.pk, reviewer_id=_get_pk(request), lease_id=lease_id)
        state = GONE if lease is not None and _view(lease) is None else state
    return JsonResponse({"state": state})


@require_POST
def end_fact_view(request: HttpRequest, tenant_id: int, label_id: int) -> HttpResponse:
    """The fact that the label calls wrong ends."""
    tenant = get_tenant_or_404(request, tenant_id)
    end_wrong_fact(
        actor=actor_of_user(request.user, tenant.pk),
        made_by=request.user.get_username(),
        tenant_id=tenant.pk,
        label_id=label_id,
    )
    messages.success(request, "The fact has ended: no context pack tells it any more.")
    return _redirect(tenant, {**_keep_queue(request), "last": label_id})


@require_POST
def languages_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """From now on, only items in these languages; none chosen means all."""
    tenant = get_tenant_or_404(request, tenant_id)
    request.session[_LANGUAGES] = [each[:35] for each in request.POST.getlist("language")][:50]
    return _redirect(tenant, _keep_queue(request))


def get_tenant_or_404(request: HttpRequest, tenant_id: int, *, role: str = Role.LABELLER) -> Tenant:
    """The tenant, if the person labels for it."""
    tenant: Tenant = get_or_404(Tenant.objects.all(), request.user, lookup="id", role=role, pk=tenant_id)
    return tenant


_LANGUAGES = "labelling_languages"


def _open_item(request: HttpRequest, tenant: Tenant) -> tuple[SampleLease | None, ItemView | None]:
    """The item that is the person's turn; one whose words went a moment ago is passed over."""
    wanted = request.GET.get("lease", "")
    if wanted.isdecimal() and len(wanted) < 19:
        lease = find_lease(tenant_id=tenant.pk, reviewer_id=_get_pk(request), lease_id=int(wanted))
        if lease is not None and (item := _view(lease)) is not None:
            return lease, item
    beside = request.GET.get("beside", "")
    for _ in range(MAX_GONE):
        lease = draw_item(
            tenant_id=tenant.pk,
            reviewer_id=_get_pk(request),
            beside=int(beside) if beside.isdecimal() and len(beside) < 19 else None,
            languages=request.session.get(_LANGUAGES, ()),
            is_risk=request.GET.get("queue") == "risk",
        )
        if lease is None:
            return None, None
        item = _view(lease)
        if item is not None:
            return lease, item
        skip_item(tenant_id=tenant.pk, reviewer_id=_get_pk(request), lease_id=lease.pk)
    return None, None


def _view(lease: SampleLease) -> ItemView | None:
    """None where the words of the item were forgotten."""
    try:
        return view_item(lease)
    except SampleGone:
        return None


def _find_last(request: HttpRequest, tenant: Tenant) -> Aftermath | None:
    last = request.GET.get("last", "")
    if not last.isdecimal() or len(last) > 18:
        return None
    return get_aftermath(tenant_id=tenant.pk, reviewer_id=_get_pk(request), label_id=int(last))


def _build_context(request: HttpRequest, tenant: Tenant, last: Aftermath | None) -> dict[str, Any]:
    is_risk = request.GET.get("queue") == "risk"
    return {
        "tenant": tenant,
        "last": last,
        "is_risk": is_risk,
        "labelled_today": count_labels_of(tenant.pk, _get_pk(request)),
        "languages": list_languages(tenant.pk),
        "chosen_languages": request.session.get(_LANGUAGES, []),
        "may_see_players": has_role(request.user, tenant.pk, Role.REVIEWER),
        "queue_query": "?queue=risk" if is_risk else "",
    }


def _list_choices(item: ItemView | None) -> list[dict[str, str]]:
    if item is None:
        return []
    return [
        {"key": key, "verdict": verdict.value, "name": NAMES[verdict][0], "help": NAMES[verdict][1]}
        for key, verdict in list_keys(item.kind).items()
    ]


def _keep_queue(request: HttpRequest) -> dict[str, Any]:
    return {"queue": "risk"} if request.POST.get("queue") == "risk" else {}


def _go_on(
    request: HttpRequest, tenant: Tenant, query: dict[str, Any], *, last: Aftermath | None = None
) -> HttpResponse:
    """To the next item: by a redirect, or for a script by telling it where, and what it may show meanwhile."""
    if not _is_script(request):
        return _redirect(tenant, query)
    answer: dict[str, Any] = {"next": _build_url(tenant, query), "ask": bool(query.get("ask"))}
    if last is not None:
        context = _build_context(request, tenant, last) | {"is_risk": request.POST.get("queue") == "risk"}
        answer["last"] = render(request, "memory37/labelling_last.html", context).content.decode()
        answer["today"] = context["labelled_today"]
    return JsonResponse(answer)


def _refuse(request: HttpRequest, tenant: Tenant, error: DomainError) -> HttpResponse:
    if _is_script(request):
        return JsonResponse({"code": error.code, "detail": error.detail}, status=409)
    messages.error(request, error.detail)
    return _redirect(tenant, _keep_queue(request))


def _redirect(tenant: Tenant, query: dict[str, Any]) -> HttpResponseRedirect:
    response = HttpResponseRedirect(_build_url(tenant, query))
    response.status_code = 303
    return response


def _build_url(tenant: Tenant, query: dict[str, Any]) -> str:
    url = reverse("admin:labelling", args=[tenant.pk])
    return f"{url}?{urlencode(query)}" if query else url


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == "application/json"


def _read_number(request: HttpRequest, name: str) -> int | None:
    value = request.POST.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 19 else None


def _get_pk(request: HttpRequest) -> int:
    return int(request.user.pk or 0)
