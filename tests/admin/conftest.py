"""Worlds with people who may sign in to the admin site."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from reviews.core.actor import Actor
from tests.reviews.world import Selmar, make_world


@pytest.fixture
def selmar(db: None) -> Selmar:
    """A world with one published article and staff of every role."""
    return make_staffed_world("selmar")


@pytest.fixture
def rival(db: None) -> Selmar:
    """Another tenant's world."""
    return make_staffed_world("rival")


@pytest.fixture
def sign_in() -> Callable[[Actor], Client]:
    """A browser of that person."""

    def sign(actor: Actor) -> Client:
        client = Client()
        client.force_login(get_user_model().objects.get(pk=actor.user_id))
        return client

    return sign


@pytest.fixture
def operator(db: None) -> Client:
    """A superuser's browser."""
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("operator", password="a-long-password"))
    return client


def make_staffed_world(slug: str) -> Selmar:
    """A world whose people are staff."""
    world = make_world(slug)
    get_user_model().objects.filter(username__startswith=f"{slug}-").update(is_staff=True)
    return world
