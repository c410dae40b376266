"""What is known of users, through REST."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from knowledge.facts.models import UserFact
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser
from tests.episodes.traces import find_word

FACTS = "users/player-1/facts"


@pytest.fixture
def messages(engine):
    """The ids of three messages of player-1."""
    chat = engine.post("conversations", {"user_id": "player-1"}).json()["id"]
    said = [("assistant", "Which metal was it?"), ("user", "I think it was nickel."), ("assistant", "Noted.")]
    batch = {"messages": [{"role": role, "content": content} for role, content in said]}
    answer = engine.post(f"conversations/{chat}/messages/batch", batch)
    return [each["message_id"] for each in answer.json()["messages"]]


def explicit(messages, **more):
    return {"type": "allergy", "value": "nickel", "source": "explicit", "evidence": [messages[1]], **more}


def test_a_fact_is_told_with_the_words_that_it_rests_on_and_their_neighbours(engine, messages):
    written = engine.post(FACTS, explicit(messages))
    assert written.status_code == 201
    fact = written.json()["fact"]
    assert (written.json()["outcome"], fact["evidence"]) == ("written", [messages[1]])
    assert fact["evidence_span"] == [messages[0], messages[2]]
    assert engine.get(FACTS).json() == {"data": [fact], "next_cursor": None, "facts": [fact]}
    detail = engine.get(f"{FACTS}/{fact['id']}").json()
    assert [each["excerpt"] for each in detail["evidence"]] == ["I think it was nickel."]
    assert [each["excerpt"] for each in detail["evidence_span"]] == ["Which metal was it?", "Noted."]
    assert (detail["fact"], detail["history"]) == (fact, [fact])


def test_writing_again_confirms_and_another_value_supersedes(engine):
    size = {"type": "body_params", "value": "S", "source": "onboarding"}
    first = engine.post(FACTS, size).json()
    again = engine.post(FACTS, size)
    assert (again.status_code, again.json()["outcome"]) == (200, "confirmed")
    other = engine.post(FACTS, {**size, "value": "M"}).json()
    assert (other["outcome"], other["superseded"]) == ("superseded", first["fact"]["id"])
    history = engine.get(f"{FACTS}/{other['fact']['id']}").json()["history"]
    assert [(row["value"], row["is_active"]) for row in history] == [("M", True), ("S", False)]


def test_the_list_is_filtered_by_time_type_and_dispute(engine, problem):
    engine.post(FACTS, {"type": "allergy", "value": "wool", "source": "onboarding"})
    engine.post(FACTS, {"type": "budget", "value": "500 AED", "source": "onboarding"})
    UserFact.objects.filter(type="budget").update(is_disputed=True, disputed_at=Now())

    def values(**query):
        return [fact["value"] for fact in engine.get(FACTS, query).json()["facts"]]

    assert values() == ["wool", "500 AED"]
    assert values(type="budget") == ["500 AED"]
    assert values(disputed="true") == ["500 AED"]
    assert values(as_of="2020-01-01T00:00:00Z") == []
    problem(engine.get(FACTS, {"as_of": "yesterday"}), 400, "as_of_invalid")
    problem(engine.get(FACTS, {"type": "mood"}), 400, "parameter_invalid")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"type": "color_preferences"}, "fact_type_soft"),
        ({"type": "mood"}, "fact_type_unknown"),
        ({"evidence": []}, "fact_evidence_missing"),
        ({"evidence": [999_999]}, "fact_evidence_unknown"),
        ({"source": "instant_pattern"}, "body_invalid"),
        ({"value": ""}, "body_invalid"),
        ({"key": "!!"}, "fact_key_invalid"),
        ({"expires_at": "2030-01-01T00:00:00Z"}, "fact_does_not_expire"),
        ({"type": "life_event", "expires_at": "soon"}, "expires_at_invalid"),
        ({"confidence": 2}, "body_invalid"),
    ],
)
def test_bad_facts_are_refused_with_a_code_and_change_nothing(engine, messages, problem, change, code):
    problem(engine.post(FACTS, explicit(messages, **change)), 400, code)
    assert not UserFact.objects.exists()


def test_a_refused_fact_leaves_no_new_user_behind(engine, problem):
    problem(
        engine.post("users/nobody/facts", {"type": "mood", "value": "x", "source": "onboarding"}),
        400,
        "fact_type_unknown",
    )
    assert not EndUser.objects.filter(external_id="nobody").exists()


def test_messages_of_others_and_forgotten_ones_are_no_evidence(engine, messages, problem):
    problem(engine.post("users/player-2/facts", explicit(messages)), 400, "fact_evidence_unknown")
    from episodes.models import Message

    Message.objects.filter(pk=messages[1]).update(forgotten_at="2026-01-01T00:00:00Z")
    problem(engine.post(FACTS, explicit(messages)), 400, "fact_evidence_unknown")


def test_a_deleted_fact_is_gone_from_every_answer(engine, messages):
    fact = engine.post(FACTS, explicit(messages)).json()["fact"]
    assert engine.delete(f"{FACTS}/{fact['id']}").json() == {"versions_erased": 1}
    assert engine.get(FACTS).json() == {"data": [], "next_cursor": None, "facts": []}
    detail = engine.get(f"{FACTS}/{fact['id']}").json()
    assert (detail["fact"]["key"], detail["fact"]["value"], detail["fact"]["ended_reason"]) == (None, None, "deleted")


def test_an_event_gets_thirty_days_or_its_own_date(engine):
    event = {"type": "life_event", "key": "wedding sister", "value": "wedding", "source": "onboarding"}
    dated = engine.post(FACTS, {**event, "expires_at": "2099-05-01T00:00:00+03:00"}).json()["fact"]
    assert (dated["key"], dated["expires_at"]) == ("wedding_sister", "2099-04-30T21:00:00Z")


def test_an_idempotency_key_makes_a_repeat_harmless(engine):
    body = {"type": "allergy", "value": "wool", "source": "onboarding"}
    first = engine.post(FACTS, body, Idempotency_Key="k1")
    again = engine.post(FACTS, body, Idempotency_Key="k1")
    assert (again.status_code, again["Idempotency-Replayed"], again.json()) == (201, "true", first.json())


def test_users_of_other_tenants_and_unknown_users_are_told_as_absent(engine, messages, make_api, problem):
    fact = engine.post(FACTS, explicit(messages)).json()["fact"]
    rival = make_api("engine", "read", of=ensure_tenant(slug="rival"))
    problem(rival.get(FACTS), 404, "user_not_found")
    problem(rival.get(f"{FACTS}/{fact['id']}"), 404, "user_not_found")
    problem(rival.delete(f"{FACTS}/{fact['id']}"), 404, "user_not_found")
    problem(engine.get("users/nobody/facts"), 404, "user_not_found")
    rival.post(FACTS, {"type": "allergy", "value": "silk", "source": "onboarding"})
    problem(rival.get(f"{FACTS}/{fact['id']}"), 404, "fact_not_found")
    problem(rival.get(f"{FACTS}/9223372036854775808"), 404, "fact_not_found")
    assert [row["value"] for row in engine.get(FACTS).json()["facts"]] == ["nickel"]


def test_writing_and_deleting_take_the_engine_scope(make_api, world, problem):
    reader = make_api("read", "editor")
    problem(reader.post(FACTS, {"type": "allergy", "value": "wool", "source": "onboarding"}), 403, "scope_missing")
    problem(reader.delete(f"{FACTS}/1"), 403, "scope_missing")


def test_without_keys_facts_answer_503(engine, settings, problem):
    engine.post(FACTS, {"type": "allergy", "value": "wool", "source": "onboarding"})
    settings.FACT_KEYS = {}
    problem(engine.get(FACTS), 503, "fact_keys_missing")
    assert engine.get("users/player-1/facts", {"type": "budget"}).status_code == 503


def test_a_deleted_fact_leaves_stored_answers_without_its_value(engine):
    body = {"role": "user", "content": "I am allergic to nickel."}
    chat = engine.post("conversations", {"user_id": "player-1"}).json()["id"]
    path = f"conversations/{chat}/messages"
    first = engine.post(path, body, Idempotency_Key="k-1").json()
    (fact,) = first["understood"]["facts"]
    assert "tenancy_idempotencyrecord.response" in find_word("nickel")
    assert engine.delete(f"{FACTS}/{fact['fact_id']}").json() == {"versions_erased": 1}
    assert "tenancy_idempotencyrecord.response" not in find_word("nickel")
    again = engine.post(path, body, Idempotency_Key="k-1")
    assert again["Idempotency-Replayed"] == "true"
    assert [each["value"] for each in again.json()["understood"]["facts"]] == [None]
