from __future__ import annotations

import pytest

from episodes.conversations.actions.conversations import open_conversation
from tenancy.actions.worlds import ensure_tenant


@pytest.fixture
def tenant(db):
    return ensure_tenant(slug="studio", name="Studio")


@pytest.fixture
def conversation(tenant):
    return open_conversation(tenant_id=tenant.pk, user_id="player-1").conversation


@pytest.fixture
def rival(db):
    return ensure_tenant(slug="rival", name="Rival")
