"""What is forgotten stands nowhere any more: through REST, against every table and Redis."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes.forgetting.actions.receipts import sweep_receipts
from episodes.models import ForgetReceipt, Message, MessagePassage
from knowledge.canon.models import DomainIndex
from knowledge.facts.actions import Correction, dispute_fact
from knowledge.facts.models import UserFact
from knowledge.search.query_embedding import hash_query
from knowledge.search.zero_hits import record_zero_hit
from memoryproject.forgetting import registry
from memoryproject.forgetting.registry import register_memory_store
from memoryproject.redis import build_key
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser
from tests.episodes.traces import find_word
from tests.factories.rest import start_chat

pytestmark = pytest.mark.django_db(transaction=True)
WORD = "zirconium"
SAID = f"My watch is made of {WORD}."
"""Nothing that is heard as a fact: the test writes the fact by REST."""
RAW = {"episodes_message.content"}


@pytest.fixture
def chat(engine):
    return start_chat(engine)


@pytest.fixture
def said(engine, chat, world, redis, make_api):
    """The id of a message whose word got everywhere that this service ever puts a word."""
    path = f"conversations/{chat}/messages"
    engine.post(path, {"role": "assistant", "content": "Any allergies?"})
    said = engine.post(
        path, {"role": "user", "content": SAID, "client_message_id": "c-1"}, Idempotency_Key=f"post-{chat}"
    ).json()["message_id"]
    engine.post(
        path,
        {"role": "assistant", "content": "Noted.", "reply_to": said, "response_description": f"A list: {WORD}"},
        Idempotency_Key=f"answer-{chat}",
    )
    fact = {"type": "allergy", "value": WORD, "source": "explicit", "evidence": [said]}
    written = engine.post("users/player-1/facts", fact, Idempotency_Key=f"fact-{chat}").json()["fact"]
    user = EndUser.objects.get(external_id="player-1")
    dispute_fact(
        tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=written["id"],
        correction=Correction("support", reason=f"The player never said {WORD}."),
    )  # fmt: skip
    index = DomainIndex.objects.create(tenant_id=world.tenant_id, world=world, domain="lore")
    record_zero_hit(index.pk, SAID)
    redis.hset(build_key("query-embedding", hash_query(SAID)), "some-model:3", b"vector")
    kept = {"op": "put", "namespace": ["watches"], "key": "metal", "value": {"text": SAID}, "message_id": said}
    assert make_api("notebook").post("store/batch", {"ops": [kept]}).status_code == 200
    for turn in ({"message": SAID}, {"message": SAID, "message_id": said}, {"message": "What may I eat?"}):
        engine.post("context", {"user_id": "player-1", "conversation_id": chat, **turn})
    return said


def forget(engine, said, **more):
    return engine.post(f"messages/{said}/forget", {}, **more)


def test_a_forgotten_word_stands_in_raw_alone(engine, said, redis):
    assert find_word(WORD) >= RAW | {
        "tenancy_idempotencyrecord.response",
        "knowledge_memorycorrection.reason",
        "runtime_trace.texts",
    }
    receipt = forget(engine, said).json()
    assert (receipt["state"], receipt["stores_failed"]) == ("done", []), receipt
    assert set(receipt["left"].values()) == {0}
    assert receipt["cleared"] == {
        "messages": 1, "echoes": 0, "passages": 1, "vectors": 0, "descriptions": 1, "facts": 1,
        "snippets": 0, "talk_summaries": 0, "events": 0, "notebooks": 0, "store": 1, "lorebook_states": 0,
        "correction_reasons": 1,
        "stored_answers": 1, "query_vectors": 1, "queries_without_hits": 1,
        "threads": 0, "session_memory": 0, "traces": 3, "contradicted_claims": 0, "labelling": 0, "extraction": 0,
    }  # fmt: skip
    assert find_word(WORD) == RAW
    assert not redis.exists(build_key("query-embedding", hash_query(SAID)))


def test_no_answer_holds_a_forgotten_word(engine, chat, said):
    receipt = forget(engine, said).json()
    for path in (
        f"conversations/{chat}/messages",
        f"conversations/{chat}",
        "users/player-1/facts",
        f"users/player-1/facts/{UserFact.objects.get().pk}",
        "users/player-1/forget-receipts",
        f"users/player-1/forget-receipts/{receipt['id']}",
        "status",
    ):
        answer = engine.get(path)
        assert answer.status_code == 200, path
        assert WORD not in answer.content.decode(), path


def test_a_repeat_of_what_was_stored_once_gets_its_answer_without_the_words(engine, said):
    forget(engine, said)
    fact = {"type": "allergy", "value": WORD, "source": "explicit", "evidence": [said]}
    again = engine.post("users/player-1/facts", fact, Idempotency_Key=f"fact-{Message.objects.first().conversation_id}")
    assert (again.status_code, again["Idempotency-Replayed"]) == (201, "true")
    assert (again.json()["outcome"], again.json()["fact"]["value"]) == ("written", None)
    assert not UserFact.objects.filter(is_active=True).exists()


@pytest.mark.parametrize("forgotten_first", [True, False])
def test_an_erased_word_stands_nowhere(engine, chat, said, forgotten_first):
    engine.post("users/player-1/facts", {"type": "hard_ban", "value": WORD, "source": "onboarding"})
    if forgotten_first:
        forget(engine, said)
    answer = engine.post("users/player-1/erase", {"reason": "Case 4711", "confirm": "player-1"}, Idempotency_Key="e")
    assert answer.status_code == 201, answer.content
    receipt = answer.json()
    assert (receipt["state"], receipt["asked"]) == ("done", {"scope": "erasure"})
    assert receipt["cleared"]["contents"] == 3
    assert find_word(WORD) == set()
    assert [row["content"] for row in engine.get(f"conversations/{chat}/messages").json()["messages"]] == [None] * 3
    assert engine.get(f"users/{receipt['user_id']}/facts").json() == {"data": [], "next_cursor": None, "facts": []}
    assert engine.get(answer["Location"].removeprefix("/api/v1/")).json() == receipt
    again = engine.post("users/player-1/erase", {"reason": "Case 4711", "confirm": "player-1"}, Idempotency_Key="e")
    assert (again.json()["id"], again["Idempotency-Replayed"]) == (receipt["id"], "true")


def test_the_next_message_takes_its_place_behind_the_erased_ones(engine, chat, said):
    engine.post("users/player-1/erase", {"reason": "Case 4711", "confirm": "player-1"})
    stored = engine.post(f"conversations/{chat}/messages", {"role": "user", "content": "Hello again."}).json()
    assert stored["seq"] == 4


def test_an_erasure_is_confirmed_by_the_users_id_and_has_a_reason(engine, said, problem):
    problem(engine.post("users/player-1/erase", {"reason": "x", "confirm": "player-2"}), 400, "erasure_not_confirmed")
    problem(engine.post("users/player-1/erase", {"reason": " ", "confirm": "player-1"}), 400, "body_invalid")
    dry = engine.post("users/player-1/erase?dry_run=true", {"reason": "x", "confirm": "player-1"}).json()
    assert (dry["would_clear"]["contents"], dry["would_clear"]["facts"]) == (3, 1)
    assert Message.objects.filter(forgotten_at__isnull=True).count() == 3


def test_a_dry_run_tells_what_would_go_and_changes_nothing(engine, said):
    before = find_word(WORD)
    dry = engine.post(f"messages/{said}/forget?dry_run=true", {})
    assert dry.status_code == 200
    preview = dry.json()
    assert (preview["dry_run"], preview["can_be_undone"], preview["message_ids"]) == (True, False, [said])
    would_clear = {
        "messages": 1, "echoes": 0, "passages": 1, "vectors": 0, "descriptions": 1, "snippets": 0,
        "talk_summaries": 0, "events": 0, "facts": 1,
    }  # fmt: skip
    assert preview["would_clear"] == would_clear
    assert [fact["value"] for fact in preview["facts"]] == [WORD]
    assert (find_word(WORD), ForgetReceipt.objects.count()) == (before, 0)


def test_a_repeat_with_its_key_gets_the_same_receipt_and_without_one_an_empty_one(engine, said):
    first = forget(engine, said, Idempotency_Key="f").json()
    assert forget(engine, said, Idempotency_Key="f").json() == first
    empty = forget(engine, said).json()
    assert empty["id"] != first["id"]
    assert (set(empty["cleared"].values()), empty["state"]) == ({0}, "done")
    receipts = engine.get("users/player-1/forget-receipts").json()["receipts"]
    assert {each["id"] for each in receipts} == {first["id"], empty["id"]}


def test_a_topic_is_shown_and_only_what_was_shown_is_forgotten(engine, chat, said, problem):
    preview = engine.post("users/player-1/forget?dry_run=true", {"topic": f"my {WORD.upper()} allergy?"}).json()
    assert preview["message_ids"] == []
    preview = engine.post("users/player-1/forget?dry_run=true", {"topic": f"What is my {WORD.upper()}?"}).json()
    assert preview["message_ids"] == [said]
    assert [each["excerpt"] for each in preview["messages"]] == [SAID]
    later = engine.post(f"conversations/{chat}/messages", {"role": "user", "content": f"{WORD} again"}).json()
    problem(engine.post("users/player-1/forget", {"topic": WORD}), 400, "preview_needed")
    receipt = engine.post("users/player-1/forget", {"message_ids": preview["message_ids"]}).json()
    assert receipt["cleared"]["messages"] == 1
    assert list(Message.objects.filter(forgotten_at__isnull=False).values_list("pk", flat=True)) == [said]
    assert MessagePassage.objects.filter(message_id=later["message_id"]).exists()


def test_a_time_range_takes_its_start_and_leaves_its_end(engine):
    chat = engine.post("conversations", {"user_id": "player-1"}).json()["id"]
    days = [f"2026-03-0{day}T00:00:00Z" for day in (1, 2, 3)]
    history = [{"role": "user", "content": day, "sent_at": day} for day in days]
    engine.post(f"conversations/{chat}/messages/batch", {"messages": history})
    receipt = engine.post("users/player-1/forget", {"from": days[0], "to": days[2]}).json()
    assert receipt["asked"] == {
        "scope": "range",
        "from": "2026-03-01T00:00:00+00:00",
        "to": "2026-03-03T00:00:00+00:00",
    }
    assert list(Message.objects.filter(forgotten_at__isnull=True).values_list("content", flat=True)) == [days[2]]


def test_onboarding_survives_all_that_is_forgotten(engine, said):
    engine.post("users/player-1/facts", {"type": "budget", "value": "500 AED", "source": "onboarding"})
    receipt = engine.post("users/player-1/forget", {"scope": "all"}).json()
    assert (receipt["cleared"]["messages"], receipt["cleared"]["facts"]) == (3, 1)
    assert [fact["value"] for fact in engine.get("users/player-1/facts").json()["facts"]] == ["500 AED"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "body_invalid"),
        ({"scope": "some"}, "body_invalid"),
        ({"scope": "all", "topic": "x"}, "body_invalid"),
        ({"message_ids": []}, "body_invalid"),
        ({"from": "yesterday"}, "forget_range_invalid"),
        ({"from": "2026-03-02T00:00:00Z", "to": "2026-03-01T00:00:00Z"}, "forget_range_invalid"),
        ({"topic": "a\u0000b"}, "body_invalid"),
    ],
)
def test_bad_requests_are_refused_and_forget_nothing(engine, said, problem, body, code):
    problem(engine.post("users/player-1/forget", body), 400, code)
    assert not Message.objects.filter(forgotten_at__isnull=False).exists()


def test_a_refusal_is_about_the_way_of_forgetting_that_was_meant(engine, said):
    errors = engine.post("users/player-1/forget", {"message_ids": []}).json()["errors"]
    assert [error["path"] for error in errors] == ["message_ids"]


def test_a_topic_without_words_is_refused(engine, said, problem):
    problem(engine.post("users/player-1/forget?dry_run=true", {"topic": "?!"}), 400, "topic_empty")


def test_what_is_others_is_told_as_absent(engine, said, make_api, problem):
    receipt = forget(engine, said).json()["id"]
    rival = make_api("engine", "read", of=ensure_tenant(slug="rival"))
    rival.post("conversations", {"user_id": "player-1"})
    engine.post("conversations", {"user_id": "player-2"})
    problem(forget(rival, said), 404, "message_not_found")
    problem(forget(rival, 9223372036854775808), 404, "message_not_found")
    for client, user in ((rival, "player-1"), (engine, "player-2")):
        problem(client.post(f"users/{user}/forget", {"message_ids": [said]}), 404, "message_not_found")
        problem(client.post(f"users/{user}/forget?dry_run=true", {"message_ids": [said]}), 404, "message_not_found")
        problem(client.get(f"users/{user}/forget-receipts/{receipt}"), 404, "receipt_not_found")
        assert client.get(f"users/{user}/forget-receipts").json() == {"data": [], "next_cursor": None, "receipts": []}
    problem(engine.get("users/nobody/forget-receipts"), 404, "user_not_found")


def test_forgetting_takes_the_engine_scope(make_api, said, problem):
    reader = make_api("read", "editor")
    for path in (f"messages/{said}/forget", "users/player-1/forget", "users/player-1/erase"):
        problem(reader.post(path, {"scope": "all"}), 403, "scope_missing")


@pytest.fixture
def broken_store(monkeypatch):
    """A store beyond this service's tables that fails while it is told to."""
    calls = []

    class Store:
        is_down = True

        def __call__(self, forgotten):
            calls.append(forgotten)
            if self.is_down:
                raise ConnectionError("no route")
            return 3 if len(calls) == 2 else 0

    store = Store()
    monkeypatch.setattr(registry, "_memory_stores", dict(registry._memory_stores))
    register_memory_store("sessions", store)
    return store


def test_a_store_that_fails_keeps_the_receipt_pending_until_the_sweeper_succeeds(engine, said, broken_store):
    receipt = forget(engine, said).json()
    assert (receipt["state"], receipt["stores_failed"]) == ("pending", ["sessions"])
    assert find_word(WORD) == RAW
    later = timezone.now() + dt.timedelta(minutes=2)
    assert sweep_receipts() == 0
    broken_store.is_down = False
    assert sweep_receipts(now=later) == 1
    done = engine.get(f"users/player-1/forget-receipts/{receipt['id']}").json()
    assert (done["state"], done["cleared"]["sessions"], done["stores_failed"]) == ("done", 3, [])
    assert ForgetReceipt.objects.get().work is None


def test_what_the_check_still_finds_is_told_and_not_called_done(engine, said, broken_store):
    broken_store.is_down = False
    register_memory_store("sessions", lambda _forgotten: 1)
    receipt = forget(engine, said).json()
    assert (receipt["state"], receipt["left"]["sessions"]) == ("failed", 1)
