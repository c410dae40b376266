"""Session memory through REST."""

from __future__ import annotations

import pytest
from django.test import Client

from runtime.session_memory.circuit import CIRCUIT
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.rest import post_message, start_chat

SESSION = "npc/sessions/session-abc123"
HEADERS = {"X-Tenant-ID": "studio", "X-Site-ID": "ashfall"}


@pytest.fixture
def engine(transactional_db, make_api, world):
    CIRCUIT.reset()
    return make_api("engine", "read", headers=HEADERS)


def call(api, method, path, **options):
    return Client().generic(method, f"/api/v1/{path}", headers={**api.headers, "X-API-Key": api.key}, **options)


def say(api, content, *, npc_id="ancestor_yan", session_id="session-abc123", role="user"):
    chat = start_chat(api, external_id="chat")
    return post_message(api, chat, content, role, npc_id=npc_id, session_id=session_id)["message_id"]


def test_the_walk_through_of_the_seed(engine):
    say(engine, "请问严氏家训有哪些？")
    say(engine, "后生问得好...", role="assistant")
    say(engine, "祠堂是什么时候建的？", npc_id="village_elder")
    put = call(engine, "PUT", f"{SESSION}/preference?verbosity=detailed&tone=respectful&interest_tag=农耕")
    assert put.status_code == 200, put.content
    preference = put.json()["preference"]
    assert preference.pop("source") == dict.fromkeys(("verbosity", "tone", "interest_tags"), "explicit")
    assert preference.pop("evidence") == {}
    assert put.json()["success"] is True
    assert preference.pop("updated_at").endswith("Z")
    assert preference == {
        "verbosity": "detailed", "tone": "respectful", "interest_tags": ["农耕"], "language": None,
    }  # fmt: skip

    one = engine.get(SESSION, {"npc_id": "ancestor_yan"}).json()
    assert (one["session_id"], one["npc_id"], one["message_count"]) == ("session-abc123", "ancestor_yan", 2)
    assert [(each["role"], each["content"]) for each in one["recent_messages"]] == [
        ("user", "请问严氏家训有哪些？"), ("assistant", "后生问得好..."),
    ]  # fmt: skip
    assert one["first_message_at"] == one["recent_messages"][0]["timestamp"]
    assert one["last_message_at"] == one["recent_messages"][1]["timestamp"]
    whole = engine.get(SESSION).json()
    assert (whole["npc_id"], whole["message_count"]) == (None, 3)
    assert {each["npc_id"] for each in whole["recent_messages"]} == {"ancestor_yan", "village_elder"}
    assert one["preference"] == whole["preference"]
    assert one["preference"]["tone"] == "respectful"

    cleared = call(engine, "DELETE", f"{SESSION}?npc_id=ancestor_yan")
    assert cleared.json() == {"success": True, "session_id": "session-abc123", "npc_id": "ancestor_yan"}
    assert engine.get(SESSION, {"npc_id": "ancestor_yan"}).json()["message_count"] == 0
    assert engine.get(SESSION).json()["message_count"] == 1
    assert call(engine, "DELETE", SESSION).json()["npc_id"] is None
    empty = engine.get(SESSION).json()
    assert (empty["message_count"], empty["recent_messages"], empty["preference"]) == (0, [], None)
    assert (empty["first_message_at"], empty["last_message_at"]) == (None, None)


def test_a_session_that_nobody_spoke_in_is_empty(engine):
    answer = engine.get("npc/sessions/never")
    assert answer.status_code == 200
    assert (answer.json()["message_count"], answer.json()["degraded"]) == (0, [])


def test_a_preference_may_come_as_a_body_and_in_parts(engine, problem):
    def put(body, query=""):
        return call(engine, "PUT", f"{SESSION}/preference{query}", data=body, content_type="application/json")

    assert put('{"interest_tags": ["家训", "祠堂"], "language": "zh"}').status_code == 200
    answer = put('{"interest_tag": ["农耕", "a,b"]}', "?verbosity=brief")
    assert answer.json()["preference"]["interest_tags"] == ["家训", "祠堂", "农耕", "a,b"]
    assert answer.json()["preference"]["language"] == "zh"
    problem(put('{"verbosity": "brief"}', "?verbosity=brief"), 400, "preference_invalid")
    problem(put('{"verbosity": "endless"}'), 400, "preference_invalid")
    problem(put('{"mood": "glad"}'), 400, "body_invalid")
    problem(put("[1]"), 400, "body_invalid")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "preference_invalid"),
        ("?verbosity=endless", "preference_invalid"),
        ("?tone=", "preference_invalid"),
        ("?language=zh;", "preference_invalid"),
        ("?interest_tag=%00", "parameter_invalid"),
        ("?mood=glad", "parameter_unknown"),
    ],
)
def test_a_preference_that_nobody_has_is_refused(engine, problem, query, code):
    problem(call(engine, "PUT", f"{SESSION}/preference{query}"), 400, code)
    assert engine.get(SESSION).json()["preference"] is None


@pytest.mark.parametrize("session_id", ["a:b", "a b", "a/b", "ü", "..", "%41", "x/preference/y", "鯨" * 200])
def test_sessions_are_told_apart_whatever_their_ids_hold(engine, session_id):
    from urllib.parse import quote

    say(engine, "hello", session_id=session_id)
    path = f"npc/sessions/{quote(session_id, safe='')}"
    answer = engine.get(path)
    assert (answer.json()["session_id"], answer.json()["message_count"]) == (session_id, 1)
    assert call(engine, "PUT", f"{path}/preference?tone=casual").status_code == 200
    assert engine.get(path).json()["preference"]["tone"] == "casual"
    for other in ("a", "b", "x", "A", f"{session_id}x"[:200]):
        if other != session_id:
            read = engine.get(f"npc/sessions/{quote(other, safe='')}").json()
            assert (read["message_count"], read["preference"]) == (0, None)
    assert call(engine, "DELETE", path).json()["session_id"] == session_id
    assert engine.get(path).json()["message_count"] == 0


@pytest.mark.parametrize("session_id", ["%00", "a%00b", "a%0Ab", "%20", "x" * 201, "y" * 10_000])
def test_ids_out_of_form_are_refused(engine, problem, session_id):
    path = f"npc/sessions/{session_id}"
    problem(engine.get(path), 400, "session_id_invalid")
    problem(call(engine, "DELETE", path), 400, "session_id_invalid")
    problem(call(engine, "PUT", f"{path}/preference?tone=casual"), 400, "session_id_invalid")


def test_another_tenants_or_worlds_session_of_the_same_id_is_another(engine, make_api, tenant):
    say(engine, "mine")
    call(engine, "PUT", f"{SESSION}/preference?tone=casual")
    rival = ensure_tenant(slug="rival")
    ensure_world(tenant_id=rival.pk, slug="ashfall")
    theirs = make_api("engine", "read", of=rival)
    ensure_world(tenant_id=tenant.pk, slug="second")
    second = make_api("engine", "read", headers={"X-Site-ID": "second"})
    for other in (theirs, second):
        assert call(other, "DELETE", SESSION).status_code == 200
        read = other.get(SESSION).json()
        assert (read["message_count"], read["preference"]) == (0, None)
    assert engine.get(SESSION).json()["message_count"] == 1


def test_scopes_and_worlds_are_checked(engine, make_api, tenant, problem):
    reader, writer = make_api("read"), make_api("engine")
    problem(call(reader, "DELETE", SESSION), 403, "scope_missing")
    problem(call(reader, "PUT", f"{SESSION}/preference?tone=casual"), 403, "scope_missing")
    assert writer.get(SESSION).status_code == 200
    problem(reader.get(SESSION, {"npc_id": ""}), 400, "parameter_invalid")
    ensure_world(tenant_id=tenant.pk, slug="second")
    problem(reader.get(SESSION), 400, "world_required")


def test_an_installation_without_session_memory_says_so(engine, settings, problem):
    settings.MEMORY_ENABLED = False
    say(engine, "one")
    assert engine.get(SESSION).json()["message_count"] == 0
    problem(call(engine, "PUT", f"{SESSION}/preference?tone=casual"), 409, "session_memory_disabled")
