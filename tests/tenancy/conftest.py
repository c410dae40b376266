from __future__ import annotations

import pytest

from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_world


@pytest.fixture
def world(tenant):
    return ensure_world(tenant_id=tenant.pk, slug="ashfall", name="Ashfall", languages=["en"])


@pytest.fixture
def issue(tenant):
    """Issues a key of the tenant and returns its text."""

    def issue_text(*scopes: str, **options) -> str:
        return issue_api_key(tenant_id=tenant.pk, name="test", scopes=scopes or ("read",), **options).text

    return issue_text
