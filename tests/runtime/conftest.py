from __future__ import annotations

import pytest

from tests.factories.tenants import make_world


@pytest.fixture
def world(db, redis):
    """A world of the studio, with nothing in it."""
    return make_world("ashfall", tenant="studio")
