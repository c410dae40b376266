"""Who may see and do what in the admin site: membership decides, superusers may everything."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest

from tenancy.models import Membership, Role

RANK = {role: rank for rank, role in enumerate(Role.values)}
LABELLING_ROLES = (Role.LABELLER, Role.REVIEWER, Role.OWNER)
"""Who labels extractions. Not editors: they see none of the players' words."""
_CACHE = "_memory37_roles"


def get_roles(user: Any) -> dict[int, str]:
    """Tenant id to role of one person. One query per request: the answer is kept on the user object."""
    roles: dict[int, str] | None = getattr(user, _CACHE, None)
    if roles is None:
        roles = dict(Membership.objects.filter(user_id=user.pk).values_list("tenant_id", "role"))
        setattr(user, _CACHE, roles)
    return roles


def can_access_all_tenants(user: Any) -> bool:
    """Whether the person sees every tenant."""
    return bool(user.is_active and user.is_superuser)


def has_role(user: Any, tenant_id: int, role: str) -> bool:
    """Whether the person holds at least that role in the tenant."""
    if can_access_all_tenants(user):
        return True
    return _includes(get_roles(user).get(tenant_id), role)


def list_tenant_ids(user: Any, role: str = Role.EDITOR) -> list[int]:
    """The tenants in which the person holds at least that role. Not for superusers: theirs are all."""
    return [tenant_id for tenant_id, held in get_roles(user).items() if _includes(held, role)]


def filter_by_tenants(queryset: Any, user: Any, *, lookup: str = "tenant_id", role: str = Role.EDITOR) -> Any:
    """The rows of tenants in which the person holds at least that role; all rows for superusers."""
    if can_access_all_tenants(user):
        return queryset
    return queryset.filter(**{f"{lookup}__in": list_tenant_ids(user, role)})


def get_or_404(
    queryset: Any, user: Any, *, lookup: str = "tenant_id", role: str = Role.EDITOR, **conditions: Any
) -> Any:
    """The row, if the person holds at least that role in its tenant; else 404, as for one that does not exist."""
    row = filter_by_tenants(queryset, user, lookup=lookup, role=role).filter(**conditions).first()
    if row is None:
        raise Http404("There is nothing here.")
    return row


def may_see_canon(request: HttpRequest) -> bool:
    """Whether the person works on canon in any tenant: every member but labellers."""
    return can_access_all_tenants(request.user) or bool(list_tenant_ids(request.user, Role.EDITOR))


def may_label(request: HttpRequest) -> bool:
    """Whether the person labels extractions in any tenant."""
    return can_access_all_tenants(request.user) or bool(list_tenant_ids(request.user, Role.LABELLER))


def may_see_players(request: HttpRequest) -> bool:
    """Whether the person reviews or owns in any tenant: what players say is not for every editor."""
    return can_access_all_tenants(request.user) or bool(list_tenant_ids(request.user, Role.REVIEWER))


def may_manage_some_tenant(request: HttpRequest) -> bool:
    """Whether the person owns any tenant."""
    return can_access_all_tenants(request.user) or bool(list_tenant_ids(request.user, Role.OWNER))


def is_operator(request: HttpRequest) -> bool:
    """Whether the person runs the installation."""
    return can_access_all_tenants(request.user)


def _includes(held: str | None, role: str) -> bool:
    if held is None:
        return False
    return held in LABELLING_ROLES if role == Role.LABELLER else RANK[held] >= RANK[role]
