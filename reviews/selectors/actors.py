"""Who a signed-in person is in a tenant."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser

from reviews.core.actor import Actor, read_role
from tenancy.models import Membership, Role, Tenant


def actor_of_user(user: AbstractBaseUser | AnonymousUser, tenant: Tenant | int) -> Actor:
    """The person as an actor in one tenant, with the role held there; a superuser counts as owner of any tenant.

    An inactive or unknown person gets an actor without rights.
    """
    tenant_id = tenant.pk if isinstance(tenant, Tenant) else tenant
    if not isinstance(user, AbstractUser) or not user.is_active:
        return Actor(type="user", id=user.pk, label=str(user), tenant_id=tenant_id, role=None)
    label = user.get_full_name() or user.get_username()
    held: str | None = Role.OWNER
    if not user.is_superuser:
        held = Membership.objects.filter(tenant_id=tenant_id, user_id=user.pk).values_list("role", flat=True).first()
    return Actor(type="user", id=user.pk, label=label, tenant_id=tenant_id, role=read_role(held))
