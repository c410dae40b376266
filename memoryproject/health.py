"""Probes: is the process alive, can it serve, how is it doing."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from redis.exceptions import RedisError

from memoryproject.heartbeats import KINDS, count_alive
from memoryproject.metrics import CONTENT_TYPE, render_metrics
from memoryproject.problems import Problem
from memoryproject.redis import get_redis

logger = structlog.get_logger("memory37.health")

OLDEST_PGVECTOR = (0, 8)
RETRY_AFTER_SECONDS = 5


@dataclass(frozen=True)
class Check:
    """The state of one part that the service needs."""

    name: str
    ok: bool
    state: str
    is_needed: bool = True
    """Whether the web process can't serve without it."""


def show_health(request: HttpRequest) -> HttpResponse:
    """``/healthz``: the process answers. Touches nothing else."""
    return JsonResponse({"status": "ok"})


def show_readiness(request: HttpRequest) -> HttpResponse:
    """``/readyz``: 200 when every part answers that requests need, else 503 with the parts that do not.

    Without a worker or scheduler requests are answered and what comes after them waits: 200, and `missing` names them.
    """
    checks = list_checks()
    states = {check.name: check.state for check in checks}
    failed = [check.name for check in checks if not check.ok and check.is_needed]
    missing = [check.name for check in checks if not check.ok and not check.is_needed]
    if not failed:
        return JsonResponse({"status": "degraded" if missing else "ready", "missing": missing, "checks": states})
    problem = Problem(
        503,
        "not_ready",
        f"Not ready: {', '.join(failed)}.",
        extra={"checks": states},
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
    )
    return problem.to_http()


def show_metrics(request: HttpRequest) -> HttpResponse:
    """``/metrics`` for Prometheus; in production only for those who hold ``METRICS_TOKEN``."""
    token = settings.METRICS_TOKEN
    offered = request.headers.get("Authorization", "")
    if token and not hmac.compare_digest(offered.encode(), f"Bearer {token}".encode()):
        return Problem(
            401, "not_authenticated", "Send the metrics token as a bearer.", headers={"WWW-Authenticate": "Bearer"}
        ).to_http()
    if not token and settings.PRODUCTION:
        return Problem(404, "not_found", "Metrics are off. Set METRICS_TOKEN to switch them on.").to_http()
    return HttpResponse(render_metrics(), content_type=CONTENT_TYPE)


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": show_health,
    "/readyz": show_readiness,
    "/metrics": show_metrics,
}


def list_checks() -> list[Check]:
    """Every part that the service needs, each with its state."""
    redis = check_redis()
    return [*check_database(), redis, *(check_processes() if redis.ok else [])]


def check_database() -> list[Check]:
    """PostgreSQL answers, has a new enough pgvector, and every migration is applied."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
            row = cursor.fetchone()
        unapplied = _count_unapplied_migrations()
    except Exception as error:  # noqa: BLE001  a probe reports whatever is wrong
        logger.warning("readiness_check_failed", check="database", error=type(error).__name__)
        return [Check("database", ok=False, state="unavailable")]
    return [
        Check("database", ok=True, state="ok"),
        _describe_pgvector(row[0] if row else ""),
        Check("migrations", ok=not unapplied, state=f"{unapplied} not applied" if unapplied else "ok"),
    ]


def check_redis() -> Check:
    """Redis answers."""
    try:
        get_redis().ping()
    except Exception as error:  # noqa: BLE001  a probe reports whatever is wrong
        logger.warning("readiness_check_failed", check="redis", error=type(error).__name__)
        return Check("redis", ok=False, state="unavailable")
    return Check("redis", ok=True, state="ok")


def check_processes() -> list[Check]:
    """A worker and a scheduler said lately that they live."""
    try:
        alive = {kind: count_alive(kind) for kind in KINDS}
    except RedisError as error:
        logger.warning("readiness_check_failed", check="processes", error=type(error).__name__)
        return []
    return [
        Check(kind, ok=count > 0, state=f"{count} alive" if count else "missing", is_needed=False)
        for kind, count in alive.items()
    ]


def _describe_pgvector(version: str) -> Check:
    if not version:
        return Check("pgvector", ok=False, state="not installed")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST_PGVECTOR:
        return Check("pgvector", ok=False, state=f"{version} is too old")
    return Check("pgvector", ok=True, state=version)


def _count_unapplied_migrations() -> int:
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
