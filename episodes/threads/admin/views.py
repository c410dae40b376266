"""What people decide about threads: answers to questions, rollbacks, deletion."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from episodes.threads.actions.deletion import delete_thread
from episodes.threads.actions.interrupts import answer_interrupt, reject_interrupt
from episodes.threads.actions.rollbacks import roll_back_thread
from episodes.threads.core.answer_forms import TRUTH, build_fields, read_fields
from episodes.threads.core.drafts import Place
from episodes.threads.core.limits import MAX_REASON_LENGTH
from episodes.threads.errors import InvalidThread
from episodes.threads.models import Thread, ThreadInterrupt
from episodes.threads.selectors import view_interrupts
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from tenancy.admin.access import get_or_404
from tenancy.models import Role


@require_POST
def answer_view(request: HttpRequest, interrupt_id: int) -> HttpResponse:
    """The one answer to a question, or its rejection with a reason."""
    rows = ThreadInterrupt.objects.select_related("thread")
    row: ThreadInterrupt = get_or_404(rows, request.user, role=Role.REVIEWER, pk=interrupt_id)
    where: dict[str, Any] = {"tenant_id": row.tenant_id, "world_id": row.thread.world_id, "pk": row.pk}
    try:
        if request.POST.get("verb") == "reject":
            reject_interrupt(**where, reason=_read_reason(request), by=_name_author(request))
            messages.success(request, "It is rejected; the agent reads why when it goes on.")
        else:
            answer_interrupt(**where, value=_read_answer(request, row), by=_name_author(request))
            messages.success(request, "It is answered; the agent takes the answer when it goes on.")
    except DomainError as error:
        messages.error(request, error.detail)
    return HttpResponseRedirect(reverse("admin:episodes_threadinterrupt_change", args=[row.pk]))


@require_POST
def delete_view(request: HttpRequest, thread_id: int) -> HttpResponse:
    """The thread, deleted for good."""
    thread = _get_thread(request, thread_id, role=Role.OWNER)
    receipt = delete_thread(_place(thread), by=_name_author(request))
    messages.success(request, f"The thread is deleted: {receipt.counts['checkpoints']} checkpoints. {receipt.pk}")
    return HttpResponseRedirect(reverse("admin:episodes_thread_changelist"))


def rollback_view(request: HttpRequest, thread_id: int) -> HttpResponse:
    """What a rollback would change; with a reason, it is done."""
    thread = _get_thread(request, thread_id)
    target = request.POST.get("checkpoint_id") or request.GET.get("checkpoint_id", "")
    back = HttpResponseRedirect(reverse("admin:episodes_thread_change", args=[thread.pk]))
    asked: dict[str, Any] = {"author": _name_author(request)}
    try:
        if request.method == "POST":
            roll_back_thread(_place(thread), target, reason=_read_reason(request), **asked)
            messages.success(request, "The thread stands at the checkpoint. Going to where it stood undoes this.")
            return back
        dry = roll_back_thread(_place(thread), target, reason="dry run", dry_run=True, **asked)
    except DomainError as error:
        messages.error(request, error.detail)
        return back
    kinds = [] if dry.play is None else [(name, each) for name, each in dry.play.changes.items() if each]
    return show_page(request, "thread_rollback.html", f"Roll back {thread}", thread=thread, dry=dry, kinds=kinds)


def _get_thread(request: HttpRequest, thread_id: int, *, role: str = Role.REVIEWER) -> Thread:
    thread: Thread = get_or_404(Thread.objects.all(), request.user, role=role, pk=thread_id)
    return thread


def _place(thread: Thread) -> Place:
    return Place(thread.tenant_id, thread.world_id, thread.external_id)


def _read_answer(request: HttpRequest, row: ThreadInterrupt) -> Any:
    text = request.POST.get("value", "")
    kind = request.POST.get("kind", "json")
    if kind == "fields":
        fields = build_fields(view_interrupts([row])[0].schema)
        try:
            return read_fields(fields, [request.POST.get(f"field-{index}", "") for index in range(len(fields))])
        except ValueError as error:
            raise InvalidThread(str(error)) from error
    if kind == "boolean" and text in TRUTH:
        return TRUTH[text]
    if kind == "text":
        return text
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise InvalidThread("The answer is not JSON. A text stands in quotes.") from error
    return value


def _read_reason(request: HttpRequest) -> str:
    text = " ".join(request.POST.get("reason", "").split())
    if not text or len(text) > MAX_REASON_LENGTH or not text.isprintable():
        raise InvalidThread(f"A reason has 1 to {MAX_REASON_LENGTH} printable characters.")
    return text


def _name_author(request: HttpRequest) -> str:
    return f"staff {request.user.get_username()}"
