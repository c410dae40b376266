"""A tenant's switch of extraction."""

from __future__ import annotations

from django.db import transaction

from tenancy.core.audit_log import AuditRecord, Decider, record_decision
from tenancy.errors import ExtractionSwitchMoved, ReasonMissing, UnknownExtraction
from tenancy.models import Extraction, Tenant


def set_extraction(*, tenant_id: int, extraction: str, seen: str, decider: Decider, reason: str) -> Tenant:
    """The tenant with its switch set, if it still stands as it was `seen`, and the entry in the audit log.

    Locks the tenant. Raises InvalidTenancy, ExtractionSwitchMoved.
    """
    if extraction not in Extraction.values:
        raise UnknownExtraction("Extraction is off, shadow or on.")
    if not reason.strip():
        raise ReasonMissing("Say why.")
    with transaction.atomic():
        tenant = Tenant.objects.select_for_update(no_key=True).get(pk=tenant_id)
        if tenant.extraction == extraction:
            raise ExtractionSwitchMoved(f"It is {extraction} already.")
        if tenant.extraction != seen:
            raise ExtractionSwitchMoved(f"Somebody set it to {tenant.extraction} meanwhile. Nothing is changed.")
        record_decision(
            AuditRecord(
                tenant_id=tenant_id,
                decider=decider,
                action="tenant.extraction_set",
                object_type="tenant",
                object_id=tenant_id,
                object_label=tenant.name,
                before=tenant.extraction,
                after=extraction,
                reason=reason.strip(),
            )
        )
        tenant.extraction = extraction
        tenant.save(update_fields=["extraction"])
    return tenant
