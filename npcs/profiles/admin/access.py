"""The NPC that a page is about, if the person may see it or do this to it."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from npcs.models import Npc
from tenancy.admin.access import get_or_404, has_role


def get_npc_or_404(request: HttpRequest, npc_pk: int, *, role: str | None = None) -> Npc:
    """The NPC of one of the person's tenants. Raises Http404, and PermissionDenied for members without the role."""
    rows = Npc.objects.select_related("world", "tenant").filter(persona_version__gt=0)
    npc: Npc = get_or_404(rows, request.user, pk=npc_pk)
    if role is not None and not has_role(request.user, npc.tenant_id, role):
        raise PermissionDenied(f"This takes the role {role}.")
    return npc


def name_author(request: HttpRequest) -> str:
    """How the person stands in versions and in the ledger."""
    return f"staff {request.user.get_username()}"
