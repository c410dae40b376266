"""The article form as it is being written: kept every few seconds, given back when it is opened again."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_POST

from knowledge.canon.models import LoreDocument
from memoryproject.errors import DomainError
from memoryproject.problems import STATUS_BY_KIND
from reviews.admin.common import get_actor, get_domain_index_or_404
from reviews.change_requests.actions.autosaves import discard_autosave, keep_autosave
from reviews.models import Autosave, ChangeItem
from tenancy.admin.access import get_or_404

NOT_KEPT = ("csrfmiddlewaretoken", "autosave_target", "_discard")


@require_POST
def autosave_view(request: HttpRequest) -> HttpResponse:
    """Keeps the form; the answer says when, or why not."""
    target = request.POST.get("autosave_target", "")
    tenant_id = _find_tenant(request, target)
    fields = {name: values for name, values in request.POST.lists() if name not in NOT_KEPT}
    try:
        row = keep_autosave(actor=get_actor(request, tenant_id), tenant_id=tenant_id, target=target, fields=fields)
    except DomainError as error:
        return JsonResponse({"code": error.code, "detail": error.detail}, status=STATUS_BY_KIND[error.kind])
    return JsonResponse({"saved_at": row.saved_at.isoformat()})


@require_POST
def discard_autosave_view(request: HttpRequest) -> HttpResponse:
    """Begins the form again from what is stored."""
    target = request.POST.get("autosave_target", "")
    actor = get_actor(request, _find_tenant(request, target))
    discard_autosave(actor=actor, target=target)
    return HttpResponseRedirect(_find_form(target))


def read_fields(row: Autosave) -> QueryDict:
    """What was kept, as a form's data."""
    data = QueryDict(mutable=True)
    for name, values in row.fields.items():
        data.setlist(name, values)
    return data


def _find_tenant(request: HttpRequest, target: str) -> int:
    """The tenant of what is written, if the person belongs to it. Raises Http404."""
    kind, _, text = target.partition(":")
    if not text.isdecimal() or len(text) > 18:
        raise Http404
    if kind == "new":
        return get_domain_index_or_404(request.user, int(text)).tenant_id
    if kind == "document":
        document: LoreDocument = get_or_404(LoreDocument.objects.all(), request.user, pk=int(text))
        return document.tenant_id
    if kind == "item":
        item: ChangeItem = get_or_404(ChangeItem.objects.all(), request.user, pk=int(text))
        return item.tenant_id
    raise Http404


def _find_form(target: str) -> str:
    kind, _, text = target.partition(":")
    if kind == "document":
        return reverse("admin:propose_edit", args=[text])
    if kind == "item":
        item = ChangeItem.objects.get(pk=int(text))
        return reverse("admin:edit_item", args=[item.change_request_id, item.pk])
    return f"{reverse('admin:new_document')}?index={text}"
