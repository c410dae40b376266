"""What people do about runs: undo one, undo a prompt version, try again. Each with a reason, on a page that asks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from factcheck.extraction.actions.logged_decisions import retry_run, undo_run
from factcheck.extraction.actions.version_reverts import list_undoable
from factcheck.extraction.admin.common import ReasonForm, count, decide, get_decider
from factcheck.extraction.models import ExtractionRun, RunState
from factcheck.extraction.proposers.registry import get_proposer
from memoryproject.admin.pages import show_page
from memoryproject.celery import find_task
from tenancy.admin.access import get_or_404
from tenancy.errors import ReasonMissing
from tenancy.models import Extraction, Role


def undo_view(request: HttpRequest, run_id: int) -> HttpResponse:
    """Undo one run."""
    run = _get_run(request, run_id)

    def undo(reason: str) -> str:
        done = undo_run(tenant_id=run.tenant_id, run_id=run.pk, decider=get_decider(request), reason=reason)
        return (
            f"Run {run.pk} is undone: {count(len(done.ended), 'fact')} ended, {len(done.restored)} hold again, "
            f"{len(done.kept)} stay because they were decided on or stated again since."
        )

    form = ReasonForm(request.POST if request.method == "POST" else None)
    done = decide(request, form, undo, done_url=_link(run))
    is_open = run.state == RunState.APPLIED and run.reverted_at is None
    title = f"Undo run {run.pk}"
    return done or show_page(request, "extraction_undo.html", title, run=run, form=form, is_open=is_open)


def undo_version_view(request: HttpRequest, run_id: int) -> HttpResponse:
    """Undo all runs of the version of a run. Owners only: it changes what is known of many players."""
    run = _get_run(request, run_id, role=Role.OWNER)
    runs = list_undoable(tenant_id=run.tenant_id, proposer=run.proposer, prompt_version=run.prompt_version)

    def undo(reason: str) -> str:
        if not reason.strip():
            raise ReasonMissing("Say why.")
        decider = get_decider(request)
        waiting = runs.count()
        find_task("factcheck.undo_prompt_version").delay(
            run.tenant_id, run.proposer, run.prompt_version, decider.id, decider.name, reason
        )
        return f"{count(waiting, 'run')} will be undone in the background, oldest first. Each has its audit entry."

    form = ReasonForm(request.POST if request.method == "POST" else None)
    done = decide(request, form, undo, done_url=_link(run))
    return done or show_page(
        request,
        "extraction_undo_version.html",
        "Undo all runs of a prompt version",
        run=run,
        form=form,
        runs=runs.count(),
        players=runs.order_by().values("end_user").distinct().count(),
        goes_on=run.tenant.extraction == Extraction.ON and get_proposer().prompt_version == run.prompt_version,
    )


def retry_view(request: HttpRequest, run_id: int) -> HttpResponse:
    """Try a failed run again."""
    run = _get_run(request, run_id)

    def retry(reason: str) -> str:
        waiting = retry_run(tenant_id=run.tenant_id, run_id=run.pk, decider=get_decider(request), reason=reason)
        return f"A run over {count(waiting, 'message')} is on its way. It will stand in the list of runs."

    form = ReasonForm(request.POST if request.method == "POST" else None)
    done = decide(request, form, retry, done_url=_link(run))
    is_open = run.state == RunState.FAILED
    title = f"Try run {run.pk} again"
    return done or show_page(request, "extraction_retry.html", title, run=run, form=form, is_open=is_open)


def _get_run(request: HttpRequest, run_id: int, *, role: str = Role.REVIEWER) -> ExtractionRun:
    rows = ExtractionRun.objects.select_related("end_user", "tenant").defer("answer_sealed")
    run: ExtractionRun = get_or_404(rows, request.user, role=role, pk=run_id)
    return run


def _link(run: ExtractionRun) -> str:
    return reverse("admin:factcheck_extractionrun_change", args=[run.pk])
