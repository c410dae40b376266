from __future__ import annotations

import pytest

from tenancy.actions.worlds import ensure_tenant
from tests.factories.conversations import open_chat


@pytest.fixture
def tenant(db):
    """A tenant whose talk is read a second time."""
    tenant = ensure_tenant(slug="studio")
    tenant.extraction = "on"
    tenant.save()
    return tenant


@pytest.fixture
def chat(tenant):
    return open_chat(tenant)
