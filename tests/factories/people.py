"""People who sign in, with their roles and browsers."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.test import Client

from tenancy.models import Membership, Tenant

PASSWORD = "a-long-password"


def make_member(tenant: Tenant, name: str, role: str = "reviewer", **flags: Any) -> User:
    """A person of the staff who holds a role in a tenant, signed in nowhere."""
    person = get_user_model().objects.create_user(name, f"{name}@example.com", PASSWORD, **{"is_staff": True, **flags})
    Membership.objects.create(tenant=tenant, user=person, role=role)
    return person


def make_operator(name: str = "operator") -> User:
    """A superuser."""
    return get_user_model().objects.create_superuser(name, password=PASSWORD)


def sign_in(person: User) -> Client:
    """A browser in which a person is signed in."""
    client = Client()
    client.force_login(person)
    return client
