from __future__ import annotations

import pytest

from tests.factories.tenants import make_world


@pytest.fixture
def world(db):
    return make_world("selmar", tenant="studio")
