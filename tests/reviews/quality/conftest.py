"""A player, and a person who reviews."""

from __future__ import annotations

from typing import Any

import pytest

from tenancy.models import EndUser
from tests.factcheck.extraction.rows import make_player
from tests.factories.people import make_member


@pytest.fixture
def user(db: None, redis: Any) -> EndUser:
    return make_player()


@pytest.fixture
def rob(user: EndUser) -> Any:
    return make_member(user.tenant, "rob")
