from __future__ import annotations

import pytest

from tenancy.actions.worlds import ensure_tenant
from tests.factories.conversations import open_chat


@pytest.fixture
def tenant(db):
    return ensure_tenant(slug="studio", name="Studio")


@pytest.fixture
def conversation(tenant):
    return open_chat(tenant)
