"""Worlds to review in."""

import pytest

from tests.factories.change_requests import Selmar, make_selmar


@pytest.fixture
def selmar(db: None) -> Selmar:
    return make_selmar()


@pytest.fixture
def other_studio(db: None) -> Selmar:
    return make_selmar("elsewhere")
