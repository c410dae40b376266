"""A tenant with reviewers, and their browsers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tenancy.models import Tenant
from tests.factories.conversations import open_chat
from tests.factories.people import make_member, sign_in


@pytest.fixture
def tenant(db: None) -> Tenant:
    return Tenant.objects.create(slug="t", name="Studio T")


@pytest.fixture
def rita(tenant: Tenant) -> Any:
    return make_member(tenant, "rita", "labeller")


@pytest.fixture
def bela(tenant: Tenant) -> Any:
    return make_member(tenant, "bela", "labeller")


@pytest.fixture
def talk(tenant: Tenant) -> Any:
    return open_chat(tenant)


@pytest.fixture
def browse() -> Callable[[Any], Client]:
    """Gives the browser in which a person is signed in."""
    return sign_in
