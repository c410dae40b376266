from __future__ import annotations

import pytest

from tests.factories.canon import publish
from tests.factories.conversations import open_chat
from tests.factories.tenants import make_world
from tests.samples.articles import DOMAINS, read_articles


@pytest.fixture
def selmar(db):
    """The sample world, published in both domains."""
    world = make_world("selmar", tenant="studio")
    for domain in DOMAINS:
        articles = [article.as_document() for article in read_articles() if article.domain == domain]
        publish(world, *articles, domain=domain)
    return world


@pytest.fixture
def chat(tenant):
    """A conversation of player-1."""
    return open_chat(tenant)
