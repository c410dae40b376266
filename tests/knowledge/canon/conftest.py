from __future__ import annotations

import pytest

from tests.knowledge.canon.house import Canon, make_canon


@pytest.fixture
def canon(db) -> Canon:
    return make_canon()
