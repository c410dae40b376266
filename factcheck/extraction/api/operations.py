"""What all operations of the second stage declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from pydantic import BaseModel

from factcheck.extraction.errors import TenantKeyRequired
from tenancy.api import shapes
from tenancy.api.views import MachineView

TENANT_KEY_CODES = {
    403: {"tenant_key_required": "Runs read what a player said in all worlds: use a key of the tenant."}
}
RUN_CODES = {404: {"run_not_found": "There is no run 7."}}
OFF_CODES = {
    409: {
        "extraction_off": "Extraction is switched off for this tenant.",
        "extraction_paused": "Extraction is paused: too much of it was found wrong.",
        "nothing_pending": "No message of this user waits for extraction.",
        "run_in_progress": "A run of this user is not over yet.",
    }
}
MODEL_CODES = {503: {"model_unavailable": "The chat model did not answer in time."}}
ID = {"type": "integer", "minimum": 1, "maximum": 9223372036854775807}


class ExtractionView(MachineView):
    """A view that takes a key of the whole tenant: runs know no worlds."""

    def check_tenant_key(self) -> int:
        """The tenant. Raises TenantKeyRequired."""
        if self.caller.world_id is not None:
            raise TenantKeyRequired("Runs read what a player said in all worlds: use a key of the tenant.")
        return self.caller.tenant_id


def describe_id(name: str) -> OpenApiParameter:
    """A number in a path."""
    return OpenApiParameter(
        name,
        ID,
        OpenApiParameter.PATH,
        examples=[OpenApiExample("example", 7)],
    )


def describe_answer(
    shape: type[BaseModel], example: Mapping[str, Any], *problems: Mapping[int, Mapping[str, str]], status: int = 200
) -> dict[Any, OpenApiResponse]:
    """The same of an operation that takes keys of the tenant alone."""
    return shapes.describe_answer(shape, example, TENANT_KEY_CODES, *problems, status=status)
