"""What all operations of the second stage declare."""

from __future__ import annotations

from factcheck.extraction.errors import (
    ExtractionOff,
    ExtractionPaused,
    NothingPending,
    RunInProgress,
    TenantKeyRequired,
)
from memoryproject.rest.parameters import MAX_ID, NumberParameter
from tenancy.api.views import MachineView

OFF_CODES = (ExtractionOff, ExtractionPaused, NothingPending, RunInProgress)


class ExtractionView(MachineView):
    """A view that takes a key of the whole tenant: runs know no worlds."""

    def check_tenant_key(self) -> int:
        """The tenant. Raises TenantKeyRequired."""
        if self.caller.world_id is not None:
            raise TenantKeyRequired("Runs read what a player said in all worlds: use a key of the tenant.")
        return self.caller.tenant_id


def describe_id(name: str) -> NumberParameter:
    """A number in a path."""
    return NumberParameter(name, "", 7, 1, MAX_ID)
