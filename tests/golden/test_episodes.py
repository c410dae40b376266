"""The K cases of episodes, through REST."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from episodes import tasks
from episodes.embedding import priorities
from episodes.models import MessagePassage
from tests.api.conftest import engine, make_api, world
from tests.factories.rest import start_chat

__all__ = ["engine", "make_api", "world"]


@pytest.fixture
def chat(engine):
    return start_chat(engine)


def test_k10_four_messages_within_twenty_seconds_are_all_found_before_they_are_embedded(engine, chat):
    said = ["Купила туфли", "они красные", "каблук высокий", "пойду в них на свадьбу"]
    for content in said:
        assert engine.post(f"conversations/{chat}/messages", {"role": "user", "content": content}).status_code == 201
    found = engine.get("users/player-1/episodes", {"q": "what did I just say to you", "k": "8"}).json()
    assert {card["raw_excerpt"] for card in found["episodes"]} == set(said)
    assert all(card["parts"]["placed_as_fresh"] for card in found["episodes"])


def test_k28_a_bare_second_one_comes_with_the_variants_that_it_answers(engine, chat):
    variants = "Вот три образа: первый строгий, второй с жакетом, третий вечерний."
    for role, content in (("user", "Собери мне образ на ужин"), ("assistant", variants), ("user", "Второй!")):
        engine.post(f"conversations/{chat}/messages", {"role": role, "content": content})
    found = engine.get(f"conversations/{chat}/search", {"q": "какой из образов я выбрала, второй или нет?"}).json()
    card = next(card for card in found["episodes"] if card["raw_excerpt"] == "Второй!")
    assert [(each["role"], each["text"], each["core"]) for each in card["span_context"]] == [
        ("user", "Собери мне образ на ужин", False),
        ("assistant", variants, True),
    ]


def test_k16_a_message_left_behind_is_an_orphan_until_the_sweeper_embeds_it(engine, chat, client, monkeypatch):
    def orphans():
        families = text_string_to_metric_families(client.get("/metrics").content.decode())
        [gauge] = [each for each in families if each.name == "memory37_orphan_messages_total"]
        return sum(sample.value for sample in gauge.samples)

    engine.post(
        f"conversations/{chat}/messages", {"role": "user", "content": "The lantern hangs by the northern door."}
    )
    assert orphans() == 0
    MessagePassage.objects.update(created_at=timezone.now() - dt.timedelta(hours=2))
    assert orphans() == 1
    waiting = engine.get("status").json()["messages"]
    assert (waiting["pending_embeddings"], waiting["oldest_pending_seconds"] // 60) == (1, 120)

    queued = []
    monkeypatch.setattr(tasks.embed_backlog, "apply_async", lambda args, priority, **_: queued.append((args, priority)))
    tasks.sweep_embeddings.apply()
    assert queued == [((MessagePassage.objects.get().tenant_id,), priorities.PRIORITY_RECOVERY)]
    tasks.embed_backlog.apply(*queued[0][:1])
    assert orphans() == 0
    done = engine.get("status").json()["messages"]
    assert (done["pending_embeddings"], done["oldest_pending_seconds"]) == (0, None)
    [card] = engine.get("users/player-1/episodes", {"q": "where does the lantern hang"}).json()["episodes"]
    assert card["parts"]["vector"] > 0
