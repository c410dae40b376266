from __future__ import annotations

import pytest


@pytest.fixture
def tenant(tenant):
    """A tenant whose talk is read a second time."""
    tenant.extraction = "on"
    tenant.save()
    return tenant
