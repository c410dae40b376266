"""Worlds to review in."""

import pytest

from tests.reviews.world import Selmar, make_world


@pytest.fixture
def selmar(db: None) -> Selmar:
    return make_world()


@pytest.fixture
def other_studio(db: None) -> Selmar:
    return make_world("elsewhere")
