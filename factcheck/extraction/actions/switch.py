"""An owner moves a tenant's switch of extraction."""

from __future__ import annotations

from factcheck.extraction.errors import ConfirmationMissing
from factcheck.extraction.models import ExtractionRun, RunMode, RunState
from tenancy.actions.extraction import set_extraction
from tenancy.core.audit_log import Decider
from tenancy.models import Extraction, Tenant


def has_shadow_runs(*, tenant_id: int) -> bool:
    """Whether extraction has proposed anything for the tenant without writing it. To have stood at `shadow` for a
    moment, without a run, is no experience.
    """
    runs = ExtractionRun.objects.filter(tenant_id=tenant_id, mode=RunMode.SHADOW, state=RunState.APPLIED)
    return runs.exists()


def switch_extraction(
    *, tenant_id: int, extraction: str, seen: str, typed: str, decider: Decider, reason: str
) -> Tenant:
    """The tenant with its switch set. On without any run in shadow takes its slug, typed.

    Raises ConfirmationMissing, InvalidTenancy, ExtractionSwitchMoved.
    """
    if extraction == Extraction.ON and not has_shadow_runs(tenant_id=tenant_id):
        slug = Tenant.objects.values_list("slug", flat=True).get(pk=tenant_id)
        if typed.strip() != slug:
            raise ConfirmationMissing(f"Nothing was tried in shadow yet. To switch it on all the same, type {slug}.")
    return set_extraction(tenant_id=tenant_id, extraction=extraction, seen=seen, decider=decider, reason=reason)
