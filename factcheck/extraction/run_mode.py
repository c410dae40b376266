"""What a run may do now: by the tenant's switch, and by its breakers."""

from __future__ import annotations

from factcheck.extraction.models import BreakerState, RunMode
from factcheck.extraction.selectors.breakers import list_breakers
from tenancy.models import Extraction, Tenant


def find_run_mode(*, tenant_id: int, language: str) -> RunMode | None:
    """What a run over messages in a language may do; None where a breaker is open, or the switch is off.

    A breaker of all languages counts for each. Two queries by index.
    """
    switch = Tenant.objects.values_list("extraction", flat=True).get(pk=tenant_id)
    states = {event.state for event in list_breakers(tenant_id, language)}
    if switch == Extraction.OFF or BreakerState.OPEN in states:
        return None
    if BreakerState.HALF_OPEN in states:
        return RunMode.TRIAL
    return RunMode.ON if switch == Extraction.ON else RunMode.SHADOW
