"""The release board of a world's domain: what is live, what is on the stage, and how one becomes the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from knowledge.canon.models import (
    Alias,
    AliasName,
    DomainIndex,
    GateState,
    Release,
    ReleaseState,
)
from knowledge.canon.models.releases import GATE_OPEN
from memoryproject.errors import DomainError, InvalidError
from reviews.actions.gate import override_gate, rerun_gate
from reviews.actions.releases import roll_back_release, set_canary, swap_release
from reviews.actions.staging import discard_stage, retry_staging, stage_approved
from reviews.admin.common import (
    get_actor,
    get_domain_index_or_404,
    list_allowed,
    list_domain_indexes,
    show_page,
    tell_refusal,
)
from reviews.core.actor import Actor
from reviews.core.golden import METRICS, subtract
from reviews.models import ChangeRequest, ChangeState, GoldenQuery, GoldenResult, GoldenRun
from tenancy.admin.access import get_or_404

OPEN_RELEASES = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)
BUSY_GATES = (GateState.PENDING, GateState.RUNNING)
HISTORY_MOST = 50
SMALLEST_DELTA = 0.0005
METRIC_NAMES = {"ndcg": "nDCG", "recall": "Recall", "rr": "Reciprocal rank", "must_hit": "Must-hits found"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a slug stood in the release and in what was live then; None: not among the first k."""

    slug: str
    place: int | None
    baseline: int | None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One golden query's outcome, with the places of what it must find."""

    result: GoldenResult
    places: tuple[Place, ...]
    delta: float | None

    @property
    def has_moved(self) -> bool:
        """Whether it ranks differently from what was live."""
        return bool(self.delta and abs(self.delta) >= SMALLEST_DELTA)


@dataclass(frozen=True, slots=True)
class Results:
    """The queries of a run: those that want a look, and the others."""

    attention: tuple[ResultRow, ...]
    steady: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True)
class MetricRow:
    """The mean of one metric in the release, in the baseline, and the difference."""

    name: str
    value: float | None
    baseline: float | None
    delta: float | None


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A domain at a glance."""

    index: DomainIndex
    latest: Alias | None
    stage: Release | None
    approved: int
    run: GoldenRun | None


def boards_view(request: HttpRequest) -> HttpResponse:
    """All boards of the person's worlds; straight to the board when there is only one."""
    indexes = list(list_domain_indexes(request.user))
    if len(indexes) == 1:
        return HttpResponseRedirect(reverse("admin:board", args=[indexes[0].pk]))
    return show_page(request, "boards.html", "Releases", cards=list_cards(indexes))


def list_cards(indexes: list[DomainIndex]) -> list[BoardCard]:
    """One card a domain. Four queries, however many domains."""
    ids = [index.pk for index in indexes]
    latest = {row.domain_index_id: row for row in _list_latest(ids)}
    stages = {row.domain_index_id: row for row in Release.objects.filter(domain_index__in=ids, state__in=OPEN_RELEASES)}
    approved: dict[int, int] = {}
    for index_id in ChangeRequest.objects.filter(domain_index__in=ids, state=ChangeState.APPROVED).values_list(
        "domain_index_id", flat=True
    ):
        approved[index_id] = approved.get(index_id, 0) + 1
    runs = {
        run.domain_index_id: run
        for run in GoldenRun.objects.filter(domain_index__in=ids)
        .select_related("release")
        .order_by("domain_index_id", "-id")
        .distinct("domain_index_id")
    }
    return [
        BoardCard(index, latest.get(index.pk), stages.get(index.pk), approved.get(index.pk, 0), runs.get(index.pk))
        for index in indexes
    ]


def board_view(request: HttpRequest, index_id: int) -> HttpResponse:
    """The board of one domain."""
    index = get_domain_index_or_404(request.user, index_id)
    actor = get_actor(request, index.tenant_id)
    latest = _list_latest([index.pk]).first()
    stage = Release.objects.filter(domain_index=index, state__in=OPEN_RELEASES).select_related("vector_space").first()
    run = _find_run(stage)
    approved = ChangeRequest.objects.filter(domain_index=index, state=ChangeState.APPROVED).select_related(
        "author", "author_key", "approved_by"
    )
    return show_page(
        request,
        "board.html",
        f"Releases of {index}",
        index=index,
        latest=latest,
        stage=stage,
        stage_requests=stage.change_requests.select_related("author", "author_key") if stage else [],
        progress=describe_progress(stage) if stage else None,
        run=run,
        results=describe_results(run) if run else None,
        metrics=describe_metrics(run.metrics, run.baseline_metrics) if run else [],
        gate_open=bool(stage and stage.gate_state in GATE_OPEN),
        stage_is_stale=bool(stage and latest and stage.base_number != latest.release.number),
        approved=approved.order_by("id"),
        history=(history := list(Release.objects.filter(domain_index=index)[:HISTORY_MOST])),
        earlier=[
            row
            for row in history
            if row.state == ReleaseState.PUBLISHED and (latest is None or row.pk != latest.release_id)
        ],
        query_count=GoldenQuery.objects.filter(domain_index=index, active=True).count(),
        can=list_allowed(actor, ("stage", "swap", "discard", "roll_back", "override_gate", "set_canary")),
    )


def board_progress_view(request: HttpRequest, index_id: int) -> JsonResponse:
    """How far the release on the stage is; `stamp` changes when the page should be read anew."""
    index = get_domain_index_or_404(request.user, index_id)
    stage = Release.objects.filter(domain_index=index, state__in=OPEN_RELEASES).first()
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
    try:
        message = perform(get_actor(request, index.tenant_id), index, request)
    except DomainError as error:
        tell_refusal(request, error)
    else:
        messages.success(request, message)
    return HttpResponseRedirect(reverse("admin:board", args=[index.pk]))


def describe_progress(stage: Release) -> dict[str, Any]:
    """The step that a release is at, in words and as a share, with a stamp of its state."""
    step, percent = "", 100
    if stage.state == ReleaseState.BUILDING:
        total, done = max(stage.edits_total, 1), stage.edits_done
        percent = round(80 * done / total)
        step = f"Building: {done} of {stage.edits_total} articles chunked and indexed"
        if stage.attempts > 1:
            step += f" (attempt {stage.attempts})"
        if done == 0 and stage.heartbeat_at is None:
            step = "Waiting for a worker to take it up"
    elif stage.state == ReleaseState.STAGED and stage.gate_state in BUSY_GATES:
        run = GoldenRun.objects.filter(release=stage).order_by("-id").first()
        total = GoldenQuery.objects.filter(domain_index_id=stage.domain_index_id, active=True).count()
        done = run.results.count() if run else 0
        percent = 80 + round(20 * done / max(total, 1))
        step = f"Golden queries: {done} of {total} asked"
    busy = stage.state == ReleaseState.BUILDING or (
        stage.state == ReleaseState.STAGED and stage.gate_state in BUSY_GATES
    )
    return {
        "stamp": f"{stage.pk}:{stage.state}:{stage.gate_state}",
        "busy": busy,
        "step": step,
        "percent": min(percent, 100),
    }


def describe_metrics(metrics: Mapping[str, float], baseline: Mapping[str, float]) -> list[MetricRow]:
    """The means beside those of the baseline."""
    deltas = subtract(metrics, baseline)
    return [
        MetricRow(METRIC_NAMES[name], metrics.get(name), baseline.get(name), deltas.get(name))
        for name in METRICS
        if name in metrics
    ]


def describe_results(run: GoldenRun) -> Results:
    """The run's queries, those that failed or moved apart from those that stand as they did."""
    queries = {row.key: row for row in GoldenQuery.objects.filter(domain_index_id=run.domain_index_id)}
    rows = []
    for result in run.results.all():
        query = queries.get(result.key)
        wanted = list(dict.fromkeys([*(query.must_hit if query else []), *result.missed]))
        places = tuple(Place(slug, _place(result.found, slug), _place(result.baseline_found, slug)) for slug in wanted)
        delta = subtract(result.metrics, result.baseline_metrics).get("ndcg")
        rows.append(ResultRow(result, places, delta))
    return Results(
        attention=tuple(row for row in rows if not row.result.passed or row.has_moved),
        steady=tuple(row for row in rows if row.result.passed and not row.has_moved),
    )


def _place(found: list[str], slug: str) -> int | None:
    return found.index(slug) + 1 if slug in found else None


def _find_run(stage: Release | None) -> GoldenRun | None:
    if stage is None:
        return None
    return GoldenRun.objects.filter(release=stage).select_related("baseline").order_by("-id").first()


def _list_latest(index_ids: list[int]) -> Any:
    return Alias.objects.filter(domain_index__in=index_ids, name=AliasName.LATEST).select_related("release")


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
        raise InvalidError(f"To confirm, type {wanted}. Nothing was changed.", code="confirmation_missing")


def _stage(actor: Actor, index: DomainIndex, request: HttpRequest) -> str:
    ids = [int(text) for text in request.POST.getlist("request") if text.isdecimal()]
    if not ids:
        raise InvalidError("Choose at least one approved request.", code="nothing_chosen")
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
        raise InvalidError("Choose the release to go back to.", code="nothing_chosen")
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
    if not text.isdecimal() or int(text[:4]) > 100:
        raise InvalidError("The share is a whole number from 0 to 100.", code="canary_percent_invalid")
    set_canary(actor=actor, domain_index_id=index.pk, percent=int(text))
    return f"{int(text)} % of sessions read the stage, as long as there is one."


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
