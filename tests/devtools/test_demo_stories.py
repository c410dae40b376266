"""The sample's talks come to events, once."""

from __future__ import annotations

import pytest

from devtools.demo.load import SAMPLE_DIR
from devtools.demo.stories import load_stories
from episodes.events.models import EventNode
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db


def test_the_samples_talks_come_to_events_in_the_lorebook_and_in_the_archive(redis, settings):
    world = make_world("selmar")
    source = settings.BASE_DIR / SAMPLE_DIR / "stories"
    assert (load_stories(world, source), load_stories(world, source)) == (2, 0)
    nodes = {node.language: node for node in EventNode.objects.all()}
    assert {language: node.state for language, node in nodes.items()} == {"en": "buffer", "ru": "archived"}
    assert {"Samira", "Teodor"} <= {entity["name"] for entity in nodes["en"].plot["entities"]}
    assert "Марфа" in {entity["name"] for entity in nodes["ru"].plot["entities"]}
