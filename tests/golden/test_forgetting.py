"""K15: forgetting a message takes with it what its neighbours and the facts say of it. Through REST."""

from __future__ import annotations

import pytest

from episodes.models import MessagePassage
from tests.api.conftest import make_api, world  # noqa: F401 - the fixtures of REST

pytestmark = pytest.mark.django_db(transaction=True)
USER = "users/player-1"


def test_k15_forgetting_a_message_clears_its_neighbours_descriptions_and_the_facts_that_rest_on_it(make_api, world):  # noqa: F811
    engine = make_api("engine", "read")
    chat = engine.post("conversations", {"user_id": "player-1"}).json()["id"]
    path = f"conversations/{chat}/messages"
    before = engine.post(path, {"role": "assistant", "content": "Что надеть?", "response_description": "меню"}).json()
    said = engine.post(path, {"role": "user", "content": "Аллергия на никель"}).json()["message_id"]
    after = engine.post(path, {"role": "assistant", "content": "Учту.", "response_description": "без никеля"}).json()
    last = engine.post(path, {"role": "assistant", "content": "Ещё?", "response_description": "вопрос"}).json()
    fact = {"type": "allergy", "value": "nickel", "source": "explicit", "evidence": [said]}
    engine.post(f"{USER}/facts", fact)
    engine.post(f"{USER}/facts", {"type": "body_params", "value": "M", "source": "onboarding"})

    receipt = engine.post(f"messages/{said}/forget", {}).json()

    assert (receipt["state"], receipt["cleared"]["descriptions"], receipt["cleared"]["facts"]) == ("done", 1, 1)
    shown = {row["id"]: row["response_description"] for row in engine.get(path).json()["messages"]}
    assert [shown[each["message_id"]] for each in (before, after, last)] == ["меню", "", "вопрос"]
    assert [row["value"] for row in engine.get(f"{USER}/facts").json()["facts"]] == ["M"]
    assert not MessagePassage.objects.filter(message_id=said).exists()
    dry = engine.post(f"{USER}/forget?dry_run=true", {"topic": "никель"}).json()
    assert dry["message_ids"] == []
