"""A tenant with reviewers, and their browsers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tenancy.models import Tenant
from tests.factories.conversations import open_chat
from tests.reviews.labelling.items import make_reviewer


@pytest.fixture
def tenant(db: None) -> Tenant:
    return Tenant.objects.create(slug="t", name="Studio T")


@pytest.fixture
def rita(tenant: Tenant) -> Any:
    return make_reviewer(tenant, "rita")


@pytest.fixture
def bela(tenant: Tenant) -> Any:
    return make_reviewer(tenant, "bela")


@pytest.fixture
def talk(tenant: Tenant) -> Any:
    return open_chat(tenant)


@pytest.fixture
def browse() -> Callable[[Any], Client]:
    """A browser in which a person is signed in."""

    def sign_in(person: Any) -> Client:
        client = Client()
        client.force_login(person)
        return client

    return sign_in
