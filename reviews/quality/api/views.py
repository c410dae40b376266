"""`extraction/quality`: the figures of the quality page."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from factcheck.extraction.api.operations import ExtractionView
from factcheck.extraction.core.statistics import MIN_PARITY_SAMPLE, Rate
from factcheck.extraction.errors import TenantKeyRequired
from factcheck.extraction.models import BreakerEvent
from knowledge.errors import FactKeysMissing
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import NumberParameter, Parameters
from memoryproject.rest.shapes import answer, fill
from reviews.quality.api import shapes
from reviews.quality.selectors.errors import LanguageParity
from reviews.quality.selectors.summary import QualitySummary, summarise_quality

PARAMETERS = Parameters((NumberParameter("days", "Of so many days.", 30, 1, 90, default=30),))


class ExtractionQualityView(ExtractionView):
    """`extraction/quality`."""

    @operation(
        "extraction_quality",
        "Extraction",
        shapes.ExtractionQuality,
        TenantKeyRequired,
        FactKeysMissing,
        parameters=PARAMETERS,
        world=False,
    )
    def get(self, request: Request) -> Response:
        """See how good extraction is.

        Error rate with its interval by language, from reviewers' labels; breakers; counts from proposal to fact;
        parity with English. Below 30 reviews nothing is said but `not_enough_data`.
        """
        days = self.values["days"]
        return answer(_render(summarise_quality(self.check_tenant_key(), days=days), days))


def _render(summary: QualitySummary, days: int) -> shapes.ExtractionQuality:
    return shapes.ExtractionQuality(
        days=days,
        extraction=summary.extraction,
        paused=summary.is_paused,
        error_rates=[_render_rate(language, rate) for language, rate in summary.error_rates.items()],
        breakers=[_render_breaker(event) for event in summary.breakers],
        counts=[shapes.LanguageCounts.model_validate(row) for row in summary.counts],
        parity=[_render_parity(each) for each in summary.parity],
        muted_confidences=[
            shapes.MutedConfidence(version=row.version, confidence_from=row.floor, reviewed=row.n, right=row.right)
            for row in summary.muted
        ],
        held_runs=summary.held_runs,
    )


def _render_rate(language: str, rate: Rate) -> shapes.ErrorRateShape:
    is_known = rate.n >= MIN_PARITY_SAMPLE
    return shapes.ErrorRateShape(
        language=language,
        reviewed=rate.n,
        wrong=rate.errors,
        finding="estimated" if is_known else "not_enough_data",
        error_rate=rate.rate if is_known else None,
        lower=rate.lower if is_known else None,
        upper=rate.upper if is_known else None,
        ceiling=rate.ceiling if is_known else None,
    )


def _render_breaker(event: BreakerEvent) -> shapes.BreakerShape:
    return fill(shapes.BreakerShape, event, reviewed=event.n, wrong=event.errors, since=event.created_at)


def _render_parity(each: LanguageParity) -> shapes.ParityShape:
    parity = each.parity
    measured = {"finding": parity.state.value, "difference": parity.difference, "p_value": parity.p_value}
    return fill(shapes.ParityShape, each, **measured)
