"""The page's sections in order: one table each, some with a chart. The page and CSV read the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone

from reviews.quality.core.charts import Chart
from reviews.quality.core.tables import Table
from reviews.quality.selectors.errors import (
    build_error_rates,
    build_error_trend,
    build_missed,
    build_parity,
    build_reliability,
)
from reviews.quality.selectors.flow import build_costs, build_funnel, build_lags, build_refusals
from reviews.quality.selectors.history import (
    build_breaker_history,
    build_confidence_history,
    build_denials,
    build_rate_history,
)
from reviews.quality.selectors.labels import LabelledItem, list_labelled, measure_reviewers
from reviews.quality.selectors.people import build_agreement, build_reviewers

PERIODS = (14, 30, 90)
DEFAULT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page."""

    table: Table
    chart: Chart | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """What sections are made from: a tenant, its labelled items of a period, and how its reviewers read."""

    tenant_id: int
    days: int
    since: dt.datetime
    items: list[LabelledItem]

    def build_error_rates(self) -> Section:
        """Error rate by language."""
        return Section(*build_error_rates(self.items, measure_reviewers(self.tenant_id, self.since)))

    def build_error_trend(self) -> Section:
        """Error rate by week."""
        return Section(*build_error_trend(self.items, measure_reviewers(self.tenant_id, self.since)))


_BUILDERS: dict[str, Callable[[Figures], Section]] = {
    "error_rate": Figures.build_error_rates,
    "error_trend": Figures.build_error_trend,
    "funnel": lambda figures: Section(*build_funnel(figures.tenant_id, figures.since)),
    "missed": lambda figures: Section(build_missed(figures.items)),
    "denials": lambda figures: Section(build_denials(figures.tenant_id)),
    "breakers": lambda figures: Section(build_breaker_history(figures.tenant_id)),
    "rates": lambda figures: Section(build_rate_history(figures.tenant_id)),
    "reliability": lambda figures: Section(build_reliability(figures.items)),
    "confidence": lambda figures: Section(build_confidence_history(figures.tenant_id)),
    "parity": lambda figures: Section(build_parity(figures.items)),
    "refusals": lambda figures: Section(build_refusals(figures.tenant_id, figures.since)),
    "cost": lambda figures: Section(build_costs(figures.tenant_id, figures.since, figures.days)),
    "lag": lambda figures: Section(build_lags(figures.tenant_id, figures.since)),
    "reviewers": lambda figures: Section(build_reviewers(figures.tenant_id, figures.since)),
    "agreement": lambda figures: Section(build_agreement(figures.tenant_id, figures.since)),
}
KEYS = tuple(_BUILDERS)


def read_days(text: str) -> int:
    """The period that is asked for, else 30 days."""
    return int(text) if text.isdecimal() and int(text) in PERIODS else DEFAULT_DAYS


def build_sections(tenant_id: int, days: int) -> list[Section]:
    """All sections of a period."""
    figures = _load(tenant_id, days)
    return [build(figures) for build in _BUILDERS.values()]


def build_section(tenant_id: int, days: int, key: str) -> Section | None:
    """One section; None where there is none of that key."""
    build = _BUILDERS.get(key)
    return build(_load(tenant_id, days)) if build else None


def _load(tenant_id: int, days: int) -> Figures:
    since = timezone.now() - dt.timedelta(days=days)
    return Figures(tenant_id, days, since, list_labelled(tenant_id, since))
