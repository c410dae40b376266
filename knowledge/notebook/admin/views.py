"""One entry with its versions, and what people decide about notebooks."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from knowledge.notebook.actions.conflicts import resolve_conflict
from knowledge.notebook.actions.curation import curate_entry
from knowledge.notebook.actions.decisions import decide_proposal
from knowledge.notebook.actions.deletion import delete_notebook
from knowledge.notebook.actions.forgetting import archive_fading
from knowledge.notebook.actions.redaction import redact_entry
from knowledge.notebook.admin.notebooks import BADGES, build_person_seat
from knowledge.notebook.models import Notebook
from knowledge.notebook.selectors.entries import get_entry_by_id, list_versions
from knowledge.notebook.selectors.memberships import Seat
from knowledge.text.diff import diff_words
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from tenancy.admin.access import get_or_404
from tenancy.models import Role

MAX_VERSIONS = 50
CONTEXT_CHARACTERS = 200


def entry_view(request: HttpRequest, notebook_id: int, entry_id: int) -> HttpResponse:
    """An entry with its versions, each with what it changed."""
    seat = _find_seat(request, notebook_id)
    try:
        entry = get_entry_by_id(seat, entry_id)
    except DomainError as error:
        raise Http404(error.detail) from error
    versions = list_versions(entry, limit=MAX_VERSIONS + 1)
    rows: list[tuple[Any, Any]] = []
    for index, row in enumerate(versions[:MAX_VERSIONS]):
        before = versions[index + 1] if index + 1 < len(versions) else None
        old = "" if before is None else before.content or ""
        spans = None if row.content is None else diff_words(old, row.content, context_characters=CONTEXT_CHARACTERS)
        rows.append((row, spans))
    return show_page(
        request,
        "notebook_entry.html",
        str(entry),
        notebook=seat.notebook,
        entry=entry,
        rows=rows,
        badge=BADGES.get(entry.state, "m-badge m-badge-red"),  # type: ignore[call-overload]
    )


@require_POST
def act_view(request: HttpRequest, notebook_id: int, verb: str) -> HttpResponse:
    """Decide on a proposal, a conflict or an entry; archive what fades; delete the notebook."""
    role = Role.OWNER if verb in ("redact", "delete") else Role.REVIEWER
    seat = _find_seat(request, notebook_id, role=role)
    if verb not in _VERBS:
        raise Http404("There is nothing here.")
    try:
        messages.success(request, _VERBS[verb](seat, _read_id(request)))
    except DomainError as error:
        messages.error(request, error.detail)
    if verb == "delete":
        return HttpResponseRedirect(reverse("admin:knowledge_notebook_changelist"))
    return HttpResponseRedirect(reverse("admin:knowledge_notebook_change", args=[notebook_id]))


def _find_seat(request: HttpRequest, notebook_id: int, *, role: str = Role.REVIEWER) -> Seat:
    notebook = get_or_404(Notebook.objects.all(), request.user, role=role, pk=notebook_id)
    return build_person_seat(notebook, request.user)


def _read_id(request: HttpRequest) -> int:
    text = request.POST.get("id", "0")
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def _approve(seat: Seat, row_id: int) -> str:
    decide_proposal(seat, row_id, is_approved=True)
    return "It is approved, and stands under its author's name."


def _reject(seat: Seat, row_id: int) -> str:
    decide_proposal(seat, row_id, is_approved=False)
    return "It is rejected, and stays listed."


def _choose_older(seat: Seat, row_id: int) -> str:
    return f"The older one holds: {resolve_conflict(seat, row_id, resolution='older').entry.name}."


def _choose_newer(seat: Seat, row_id: int) -> str:
    return f"The newer one holds: {resolve_conflict(seat, row_id, resolution='newer').entry.name}."


def _choose_both(seat: Seat, row_id: int) -> str:
    return f"Both hold: {resolve_conflict(seat, row_id, resolution='both').entry.name}."


def _pin(seat: Seat, row_id: int) -> str:
    curate_entry(seat, get_entry_by_id(seat, row_id), is_pinned=True)
    return "It is pinned: never archived."


def _unpin(seat: Seat, row_id: int) -> str:
    curate_entry(seat, get_entry_by_id(seat, row_id), is_pinned=False)
    return "It is not pinned any more."


def _archive(seat: Seat, row_id: int) -> str:
    curate_entry(seat, get_entry_by_id(seat, row_id), state="archived")
    return "It is archived."


def _restore(seat: Seat, row_id: int) -> str:
    curate_entry(seat, get_entry_by_id(seat, row_id), state="live")
    return "It is live."


def _redact(seat: Seat, row_id: int) -> str:
    receipt = redact_entry(seat, get_entry_by_id(seat, row_id))
    return f"Redacted: {receipt.counts['versions']} versions. Receipt {receipt.pk}."


def _forget(seat: Seat, row_id: int) -> str:
    fading, _ = archive_fading(seat, is_dry_run=False)
    return f"Archived: {len(fading)}."


def _delete(seat: Seat, row_id: int) -> str:
    return f"The notebook is deleted. Receipt {delete_notebook(seat).pk}."


_VERBS = {
    "approve": _approve,
    "reject": _reject,
    "older": _choose_older,
    "newer": _choose_newer,
    "both": _choose_both,
    "pin": _pin,
    "unpin": _unpin,
    "archive": _archive,
    "restore": _restore,
    "redact": _redact,
    "forget": _forget,
    "delete": _delete,
}
