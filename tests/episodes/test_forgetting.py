"""Forgetting against embedding and posting at the same time, and what the database refuses whoever asks."""

from __future__ import annotations

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from episodes.embedding.actions import embeddings
from episodes.errors import UnknownMessage
from episodes.forgetting.actions import order_work, orders
from episodes.forgetting.actions.cascade import lock_messages
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.forgetting import forget_message, forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.forgetting.selectors.forgetting import find_topic_messages, list_receipts, preview_forgetting
from episodes.models import ERASED_CONTENT, Erasure, ForgetReceipt, Message, MessagePassage
from knowledge.facts.actions import Correction, apply_fact, dispute_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import MemoryCorrection, UserFact
from knowledge.search import enrichment
from tenancy.actions.worlds import ensure_tenant
from tests.database import assert_refused, run_apart
from tests.factories.conversations import open_chat, say
from tests.factories.facts import owner_filter

pytestmark = pytest.mark.django_db(transaction=True)


def forget_all(conversation):
    return forget_messages(**owner_filter(conversation), selection=Selection("all"), requested_by="test")


def test_a_message_forgotten_while_it_is_being_embedded_gets_no_vector(conversation, monkeypatch):
    [message] = say(conversation, "I am allergic to nickel.")
    asked, answered = threading.Event(), threading.Event()
    real = enrichment.embed_in_halves

    def slow(*arguments):
        for portion in real(*arguments):
            asked.set()
            assert answered.wait(20)
            yield portion

    monkeypatch.setattr(enrichment, "embed_in_halves", slow)

    def forget():
        assert asked.wait(20)
        forget_message(tenant_id=conversation.tenant_id, message_id=message.pk, requested_by="test")
        answered.set()

    report, _ = run_apart(lambda: embeddings.embed_messages(conversation.pk), forget)
    assert (report.done, report.failed) == (0, 0)
    assert not MessagePassage.objects.exists()
    assert embeddings.embed_messages(conversation.pk).done == 0


def test_what_is_posted_while_all_is_forgotten_comes_before_it_or_stays(conversation):
    for number in range(5):
        say(conversation, f"before {number}")
    done = threading.Event()
    stored = []

    def write():
        stored.append(say(conversation, "meanwhile")[0].pk)
        done.set()

    def forget():
        with transaction.atomic():
            lock_messages(**owner_filter(conversation), selection=Selection("all"))
            thread.start()
            assert not done.wait(0.3)
            forget_all(conversation)

    thread = threading.Thread(target=lambda: run_apart(write))
    forget()
    thread.join(20)
    living = list(Message.objects.filter(forgotten_at__isnull=True).values_list("pk", flat=True))
    assert living == stored == list(MessagePassage.objects.values_list("message_id", flat=True))
    assert Message.objects.filter(forgotten_at__isnull=False).count() == 5


def test_two_who_forget_at_once_count_each_message_once(conversation):
    for number in range(20):
        say(conversation, f"message {number}")
    receipts = run_apart(*[lambda: forget_all(conversation)] * 4)
    assert sorted(receipt.cleared["messages"] for receipt in receipts) == [0, 0, 0, 20]


def test_erasing_and_posting_at_once_end_well(conversation):
    for number in range(10):
        say(conversation, f"message {number}")

    def erase():
        return erase_user(**owner_filter(conversation), reason="Case 1", requested_by="test").cleared["contents"]

    counts = run_apart(
        erase, *[lambda number=number: say(conversation, f"later {number}")[0].pk for number in range(5)]
    )
    assert Message.objects.filter(content=ERASED_CONTENT).count() == counts[0]
    assert list(Message.objects.order_by("seq").values_list("seq", flat=True)) == list(range(1, 16))


@pytest.fixture
def _small_batches(monkeypatch):
    monkeypatch.setattr(orders, "MAX_IMMEDIATE_MESSAGES", 4)
    monkeypatch.setattr(order_work, "MESSAGE_BATCH_SIZE", 4)


@pytest.mark.usefixtures("_small_batches")
def test_two_who_erase_much_at_once_get_one_order_and_two_workers_do_each_batch_once(conversation):
    stored = say(conversation, *(f"nickel {number}" for number in range(30)))

    def erase():
        return erase_user(**owner_filter(conversation), reason="Case 1", requested_by="test").pk

    assert len(set(run_apart(erase, erase))) == 1
    receipt = ForgetReceipt.objects.get()
    run_apart(lambda: order_work.run_order(receipt.pk), lambda: order_work.run_order(receipt.pk))
    receipt.refresh_from_db()
    assert (receipt.state, receipt.cleared["contents"]) == ("done", 30)
    assert receipt.message_ids == [each.pk for each in stored]


@pytest.mark.usefixtures("_small_batches")
def test_posting_while_much_is_erased_ends_well(conversation):
    for number in range(10):
        say(conversation, f"message {number}", client_message_id=f"c-{number}")

    def erase():
        receipt = erase_user(**owner_filter(conversation), reason="Case 1", requested_by="test")
        order_work.run_order(receipt.pk)

    def speak(number):
        return say(conversation, f"message {number}", client_message_id=f"c-{number}")[0].pk

    run_apart(erase, *[lambda number=number: speak(number) for number in range(5)])
    assert ForgetReceipt.objects.get().state == "done"
    living = Message.objects.living()
    assert set(living.values_list("pk", flat=True)) == set(
        Message.objects.exclude(content=ERASED_CONTENT).values_list("pk", flat=True)
    )
    assert set(MessagePassage.objects.values_list("message_id", flat=True)) == set(living.values_list("pk", flat=True))


def test_forgetting_takes_as_many_queries_for_many_messages_as_for_few(conversation):
    counts = []
    for size in (2, 200):
        say(conversation, *(f"nickel {number}" for number in range(size)))
        with CaptureQueriesContext(
            connection,
        ) as preview:
            preview_forgetting(**owner_filter(conversation), selection=Selection("all"))
        with CaptureQueriesContext(connection) as topic:
            find_topic_messages(**owner_filter(conversation), topic="nickel")
        with CaptureQueriesContext(connection) as forgetting:
            forget_all(conversation)
        with CaptureQueriesContext(connection) as listing:
            list_receipts(**owner_filter(conversation))
        counts.append([len(each) for each in (preview, topic, forgetting, listing)])
    assert counts[0] == counts[1]
    assert counts[0][1] == counts[0][3] == 1


def test_someone_elses_message_is_not_forgotten(conversation):
    [message] = say(conversation, "mine")
    other = open_chat(conversation.tenant, "player-2")
    with pytest.raises(UnknownMessage):
        forget_messages(
            **owner_filter(other), selection=Selection("messages", message_ids=(message.pk,)), requested_by="test"
        )
    assert not ForgetReceipt.objects.exists()


def test_words_change_only_under_an_erasure_of_the_same_transaction_and_user(conversation):
    [message] = say(conversation, "nickel", client_message_id="c1")
    other = open_chat(conversation.tenant, "player-2")
    erase_user(**owner_filter(other), reason="Case 1", requested_by="test")
    erase = (
        "UPDATE episodes_message SET content = %s, client_message_id = NULL, body_hash = NULL, forgotten_at = now() "
        "WHERE id = %s"
    )
    assert_refused("message_append_only", erase, [ERASED_CONTENT, message.pk])
    insert = (
        "INSERT INTO episodes_erasure (tenant_id, end_user_id, receipt_id, reason, requested_by, transaction_id) "
        "VALUES (%s, %s, %s, 'x', 'x', 7)"
    )
    receipt = ForgetReceipt.objects.get()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE episodes_erasure DISABLE TRIGGER ALL")
        cursor.execute("DELETE FROM episodes_erasure")
        cursor.execute("ALTER TABLE episodes_erasure ENABLE TRIGGER ALL")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(insert, [conversation.tenant_id, other.end_user_id, receipt.pk])
        assert_refused("message_append_only", erase, [ERASED_CONTENT, message.pk])
    assert Erasure.objects.get().transaction_id != 7
    Message.objects.get(pk=message.pk, content="nickel")


def test_an_erasure_takes_the_mood_of_messages_and_nothing_else_does(conversation):
    [message] = say(conversation, "I miss them.", mood="sad", memory_type="emotion")
    assert_refused("message_append_only", "UPDATE episodes_message SET mood = '' WHERE id = %s", [message.pk])
    forget_all(conversation)
    assert Message.objects.get().mood == "sad"
    erase_user(**owner_filter(conversation), reason="Case 1", requested_by="test")
    assert (Message.objects.get().mood, Message.objects.get().content) == ("", ERASED_CONTENT)


def test_even_an_erasure_leaves_only_its_own_mark(conversation):
    [message] = say(conversation, "nickel")
    forget_all(conversation)
    receipt = ForgetReceipt.objects.get()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO episodes_erasure (tenant_id, end_user_id, receipt_id, reason, requested_by, transaction_id) "
            "VALUES (%s, %s, %s, 'x', 'x', 0)",
            [conversation.tenant_id, conversation.end_user_id, receipt.pk],
        )
        assert_refused(
            "message_append_only", "UPDATE episodes_message SET content = 'silver' WHERE id = %s", [message.pk]
        )
        assert_refused(
            "message_append_only",
            "UPDATE episodes_message SET seq = 9, content = '[erased]' WHERE id = %s",
            [message.pk],
        )
        assert_refused("message_append_only", "DELETE FROM episodes_message WHERE id = %s", [message.pk])


def test_receipts_and_erasures_stay(conversation):
    say(conversation, "nickel")
    receipt = erase_user(**owner_filter(conversation), reason="Case 1", requested_by="test")
    assert_refused(
        "forget_receipt_stays", "UPDATE episodes_forgetreceipt SET state = 'failed' WHERE id = %s", [receipt.pk]
    )
    assert_refused("forget_receipt_stays", "DELETE FROM episodes_forgetreceipt")
    assert_refused("erasure_append_only", "UPDATE episodes_erasure SET reason = 'x'")
    assert_refused("erasure_append_only", "DELETE FROM episodes_erasure")
    with pytest.raises(IntegrityError, match="forget_receipt_done_keeps_no_hash"), transaction.atomic():
        ForgetReceipt.objects.create(
            **owner_filter(conversation), message_ids=[], state="done", asked={}, work={"lexemes": []}
        )
    with pytest.raises(IntegrityError, match="erasure_same_tenant"), transaction.atomic():
        Erasure.objects.create(
            tenant=ensure_tenant(slug="rival"), end_user_id=conversation.end_user_id, receipt=receipt, reason="x"
        )


def test_only_the_reason_of_an_erased_facts_correction_can_go(conversation):
    [message] = say(conversation, "nickel")
    draft = FactDraft(type="allergy", value="nickel", source="explicit", evidence=(message.pk,))
    fact = apply_fact(**owner_filter(conversation), draft=draft).fact
    dispute_fact(**owner_filter(conversation), fact_id=fact.pk, correction=Correction("support", reason="Not nickel."))
    clear = "UPDATE knowledge_memorycorrection SET reason = '[forgotten]'"
    assert_refused("memory_correction_append_only", clear)
    assert_refused("user_fact_stays", "UPDATE knowledge_userfact SET key_index = '\\x00'")
    hashed = bytes(UserFact.objects.get().key_index)
    forget_all(conversation)
    assert MemoryCorrection.objects.get().reason == "[forgotten]"
    assert bytes(UserFact.objects.get().key_index) != hashed
    assert_refused("memory_correction_append_only", "UPDATE knowledge_memorycorrection SET reason = 'other'")
    assert_refused("memory_correction_append_only", "UPDATE knowledge_memorycorrection SET language = 'ru'")
    assert_refused("memory_correction_append_only", "DELETE FROM knowledge_memorycorrection")
