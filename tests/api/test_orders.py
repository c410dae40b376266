"""Orders by REST: 202 with a receipt to poll, the same receipt for who asks again, and trying again what failed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from episodes.forgetting.actions import order_work, orders
from episodes.forgetting.actions.order_work import run_order
from episodes.models import FailureCode, ForgetReceipt, Message
from tenancy.actions.worlds import ensure_tenant

pytestmark = pytest.mark.django_db
WORD = "zirconium"
BODY = {"reason": "Case 4711", "confirm": "player-1"}


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch, redis):
    monkeypatch.setattr(orders, "MAX_IMMEDIATE_MESSAGES", 2)
    monkeypatch.setattr(order_work, "MESSAGE_BATCH_SIZE", 2)


@pytest.fixture
def chat(engine):
    chat = engine.post("conversations", {"user_id": "player-1", "session_id": "s-1"}).json()["id"]
    said = [
        {"role": "user", "content": f"I am allergic to {WORD} {n}.", "client_message_id": f"c-{n}"} for n in range(5)
    ]
    assert engine.post(f"conversations/{chat}/messages/batch", {"messages": said}).status_code in (200, 201)
    return chat


def read(engine, answer):
    return engine.get(answer["Location"].removeprefix("/api/v1/"))


@pytest.mark.parametrize("path", ["erase", "forget"])
def test_more_than_a_batch_is_accepted_and_its_receipt_tells_how_far_it_is(engine, chat, path):
    answer = engine.post(f"users/player-1/{path}", BODY if path == "erase" else {"scope": "all"})
    assert (answer.status_code, answer["Retry-After"]) == (202, "2")
    receipt = answer.json()
    assert (receipt["state"], receipt["asked"]["messages"], receipt["cleared"]["messages"]) == ("pending", 5, 0)
    assert (receipt["code"], receipt["echoes_searched"]) == (None, "not_needed")
    run_order(ForgetReceipt.objects.get().pk, seconds=0)
    assert read(engine, answer).json()["state"] == "running"
    run_order(ForgetReceipt.objects.get().pk)
    done = read(engine, answer).json()
    assert (done["state"], done["cleared"]["messages"], set(done["left"].values())) == ("done", 5, {0})


def test_nothing_answers_with_the_words_once_an_erasure_is_accepted(engine, chat, problem):
    before = engine.post("context", {"user_id": "player-1", "conversation_id": chat, "message": "Which metals?"})
    assert WORD in before.content.decode() or before.status_code != 200
    placeholder = engine.post("users/player-1/erase", BODY).json()["user_id"]
    assert Message.objects.filter(content__contains=WORD).count() == 5
    problem(engine.get("users/player-1/facts"), 404, "user_not_found")
    for path, query in (
        (f"conversations/{chat}/messages", {}),
        (f"conversations/{chat}/search", {"q": WORD}),
        (f"conversations/{chat}", {}),
        (f"users/{placeholder}/episodes", {"q": WORD}),
        (f"users/{placeholder}/facts", {}),
        (f"users/{placeholder}/forget-receipts", {}),
        ("traces", {}),
    ):
        answer = engine.get(path, query)
        told = answer.content.decode().replace(f'"query": "{WORD}"', "").replace(f'"query":"{WORD}"', "")
        assert WORD not in told, path
    [message, *_] = engine.get(f"conversations/{chat}/messages").json()["messages"]
    assert (message["content"], message["client_message_id"], message["session_id"]) == (None, None, "")
    pack = engine.post("context", {"user_id": placeholder, "conversation_id": chat, "message": "Which metals?"})
    assert WORD not in pack.content.decode()


def test_a_repeat_under_its_key_gets_202_and_the_receipt_as_it_is_by_then(engine, chat):
    first = engine.post("users/player-1/erase", BODY, Idempotency_Key="e")
    run_order(ForgetReceipt.objects.get().pk)
    again = engine.post("users/player-1/erase", BODY, Idempotency_Key="e")
    assert (again.status_code, again["Idempotency-Replayed"]) == (202, "true")
    assert (again.json()["id"], again.json()["state"]) == (first.json()["id"], "done")
    assert "Retry-After" not in again


def test_a_failed_order_is_tried_again_by_rest_and_no_other(engine, chat, problem, make_api):
    answer = engine.post("users/player-1/erase", BODY)
    path = answer["Location"].removeprefix("/api/v1/")
    problem(engine.post(f"{path}/retry", {}), 409, "receipt_not_failed")
    ForgetReceipt.objects.update(state="failed", code=FailureCode.INTERRUPTED, attempts=6)
    failed = engine.get(path).json()
    assert (failed["state"], failed["code"]) == ("failed", "interrupted")
    problem(make_api("read").post(f"{path}/retry", {}), 403, "scope_missing")
    rival = make_api("engine", "read", of=ensure_tenant(slug="rival"))
    problem(rival.post(f"{path}/retry", {}), 404, "user_not_found")
    retried = engine.post(f"{path}/retry", {})
    assert (retried.status_code, retried.json()["state"]) == (202, "pending")
    assert run_order(ForgetReceipt.objects.get().pk) == "done"


def test_support_sees_how_far_an_order_is_and_tries_failed_ones_again(engine, chat, operator):
    engine.post("users/player-1/erase", BODY)
    listed = reverse("admin:episodes_forgetreceipt_changelist")
    assert "pending: 0 of 5 messages" in operator.get(listed).content.decode()
    ForgetReceipt.objects.update(state="failed", code=FailureCode.INTERRUPTED, attempts=6)
    assert "failed: Batches failed" in operator.get(listed).content.decode()
    form = {"action": "retry_chosen", "_selected_action": [str(ForgetReceipt.objects.get().pk)]}
    assert operator.post(listed, form, follow=True).status_code == 200
    assert ForgetReceipt.objects.get().state == "pending"
