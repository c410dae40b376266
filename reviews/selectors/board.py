"""What the release board and the editors' home show of a domain."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.canon.models import AliasName, DomainIndex, Release, ReleaseState
from knowledge.canon.models.releases import GATE_OPEN
from knowledge.search.zero_hits import ZeroHitQuery, list_zero_hits
from reviews.core.actor import Actor
from reviews.models import ChangeRequest, ChangeState, GoldenRun
from reviews.selectors.golden import RunReport, find_last_run, report_run
from reviews.selectors.queues import list_change_requests, list_waiting_for

UNFINISHED = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)
RELEASES_SHOWN = 20
WAITING_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Board:
    """A domain's releases: the live one, the one in the works with its gate, what waits, what was."""

    index: DomainIndex
    live: Release | None
    stage: Release | None
    """Being built, failed, or staged."""
    stage_stale: bool
    """Whether `latest` has moved since the stage was built on it: it can only be discarded."""
    can_swap: bool
    gate: RunReport | None
    staged_requests: tuple[ChangeRequest, ...]
    approved_requests: tuple[ChangeRequest, ...]
    history: tuple[Release, ...]
    """Published releases, newest first: what can be rolled back to."""


@dataclass(frozen=True, slots=True)
class DomainSummary:
    """One domain on the home page."""

    index: DomainIndex
    live: Release | None
    stage: Release | None
    last_run: GoldenRun | None
    zero_hits: tuple[ZeroHitQuery, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """What an editor or reviewer sees first."""

    waiting: tuple[ChangeRequest, ...]
    domains: tuple[DomainSummary, ...]


def get_board(actor: Actor, index: DomainIndex) -> Board:
    """The release board of a domain. Eight queries at most, however many releases there are."""
    live = _find_live(index)
    stage = _find_stage(index)
    stale = stage is not None and stage.base_number != (live.number if live else None)
    run = find_last_run(index.pk, release_id=stage.pk) if stage else None
    requests = list_change_requests(actor).filter(domain_index=index)
    return Board(
        index=index,
        live=live,
        stage=stage,
        stage_stale=stale,
        can_swap=stage is not None
        and stage.state == ReleaseState.STAGED
        and stage.gate_state in GATE_OPEN
        and not stale,
        gate=report_run(run) if run else None,
        staged_requests=tuple(requests.filter(release=stage, state=ChangeState.STAGED)) if stage else (),
        approved_requests=tuple(requests.filter(state=ChangeState.APPROVED)),
        history=tuple(
            Release.objects.filter(domain_index=index, state=ReleaseState.PUBLISHED).order_by("-number")[
                :RELEASES_SHOWN
            ]
        ),
    )


def get_home(actor: Actor) -> Home:
    """What waits for the actor, and how each domain of the tenant stands."""
    indexes = DomainIndex.objects.select_related("world").order_by("tenant", "world", "domain")
    if actor.tenant_id is not None:
        indexes = indexes.filter(tenant_id=actor.tenant_id)
    return Home(
        waiting=tuple(list_waiting_for(actor)[:WAITING_SHOWN]),
        domains=tuple(
            DomainSummary(
                index=index,
                live=_find_live(index),
                stage=_find_stage(index),
                last_run=find_last_run(index.pk),
                zero_hits=tuple(list_zero_hits(index.pk, limit=10)),
            )
            for index in indexes
        ),
    )


def _find_live(index: DomainIndex) -> Release | None:
    return Release.objects.filter(aliases__domain_index=index, aliases__name=AliasName.LATEST).first()


def _find_stage(index: DomainIndex) -> Release | None:
    return Release.objects.filter(domain_index=index, state__in=UNFINISHED).first()
