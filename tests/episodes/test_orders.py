"""Orders to forget or erase more than a batch: gone at once, worked off in batches, whatever is killed meanwhile."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from episodes.conversations.actions.messages import store_message, store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.conversations.selectors.conversations import list_messages
from episodes.conversations.selectors.neighbours import find_claim, find_last_said_id, find_previous_id
from episodes.errors import ReceiptNotFailed
from episodes.facts.selectors.evidence import list_evidence
from episodes.forgetting.actions import order_work, orders
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.actions.order_work import retry_receipt, run_order, sweep_orders
from episodes.forgetting.core.selections import Selection
from episodes.models import ERASED_CONTENT, Conversation, Erasure, ForgetReceipt, Message, MessagePassage
from episodes.players.selectors.players import list_caused_messages
from episodes.search.selectors.search import search_episodes
from knowledge.facts.actions import apply_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import UserFact
from memoryproject.forgetting import registry
from memoryproject.forgetting.registry import register_memory_store
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser
from tests.database import assert_refused
from tests.factories.conversations import open_chat
from tests.factories.facts import owner_filter
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db
BATCH = 4


class Killed(BaseException):
    """What `kill -9` looks like from inside: nothing catches it."""


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch, redis):
    monkeypatch.setattr(orders, "MAX_IMMEDIATE_MESSAGES", BATCH)
    monkeypatch.setattr(order_work, "MESSAGE_BATCH_SIZE", BATCH)


@pytest.fixture
def chat(redis):
    return open_chat(ensure_tenant(slug="studio"), external_id="c")


def say_numbered(chat, count, word="nickel"):
    drafts = [
        MessageDraft(role="user", content=f"{word} {number}", client_message_id=f"{word}-{number}", mood="sad")
        for number in range(count)
    ]
    stored = store_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=drafts)
    return [each.message.pk for each in stored]


def erase(chat, **more):
    return erase_user(**owner_filter(chat), reason="Case 1", requested_by="test", **more)


def forget_all(chat, **more):
    return forget_messages(**owner_filter(chat), selection=Selection("all", **more), requested_by="test")


def count_erased():
    return Message.objects.filter(content=ERASED_CONTENT).count()


def kill_at_batch(monkeypatch, number, error=Killed):
    """The run dies when it is about to clear that batch, after stores heard of it."""
    real, calls = order_work._clear_batch, []

    def clear(*args):
        calls.append(args)
        if len(calls) == number:
            raise error
        return real(*args)

    monkeypatch.setattr(order_work, "_clear_batch", clear)
    return lambda: monkeypatch.setattr(order_work, "_clear_batch", real)


def test_a_small_erasure_is_done_at_once(chat):
    say_numbered(chat, BATCH)
    receipt = erase(chat)
    assert (receipt.order_kind, count_erased(), ForgetReceipt.objects.count()) == ("", BATCH, 1)


def test_who_said_nothing_is_erased_at_once(chat):
    assert erase(chat).order_kind == ""
    assert EndUser.objects.get().erased_in is not None


@pytest.mark.parametrize("order", [erase, forget_all])
def test_nobody_reads_what_an_order_reaches_from_the_moment_it_is_accepted(chat, order):
    ids = say_numbered(chat, 10)
    apply_fact(
        **owner_filter(chat), draft=FactDraft(type="allergy", value="nickel", source="explicit", evidence=(ids[0],))
    )
    receipt = order(chat)
    assert (receipt.state, receipt.asked["messages"], count_erased()) == ("pending", 10, 0)
    chat = Conversation.objects.get(pk=chat.pk)
    said = list_messages(chat).messages
    assert all(each.forgotten_at and each.content == ERASED_CONTENT and not each.mood for each in said)
    assert not MessagePassage.objects.exists()
    assert search_episodes(**owner_filter(chat), query="nickel").cards == ()
    assert {each.content for each in list_caused_messages(chat)} == {ERASED_CONTENT, None} - {ERASED_CONTENT}
    assert {each.excerpt for each in list_evidence(**owner_filter(chat), message_ids=ids)} == {None}
    assert not Message.objects.living().exists()
    assert Message.objects.gone().count() == 10
    assert find_previous_id(conversation_id=chat.pk, seq=11) is None
    assert find_last_said_id(conversation_id=chat.pk, seq=11) is None
    assert find_claim(Message(conversation_id=chat.pk, seq=11)) is None
    assert not UserFact.objects.exclude(value_sealed=b"").exists()


@pytest.mark.parametrize("order", [erase, forget_all])
@pytest.mark.parametrize("killed_at", [1, 2, 3])
def test_a_killed_run_is_taken_up_where_it_was(chat, order, killed_at, monkeypatch, django_capture_on_commit_callbacks):
    ids = say_numbered(chat, 10)
    receipt = order(chat)
    heal = kill_at_batch(monkeypatch, killed_at)
    with pytest.raises(Killed):
        run_order(receipt.pk)
    receipt.refresh_from_db()
    assert (receipt.state, receipt.message_ids) == ("running", ids[: (killed_at - 1) * BATCH])
    heal()
    queued = []
    monkeypatch.setattr(order_work, "queue_order", queued.append)
    assert sweep_orders() == 0
    assert sweep_orders(now=timezone.now() + dt.timedelta(minutes=2)) == 1
    assert queued == [receipt.pk]
    assert run_order(receipt.pk) == "done"
    receipt.refresh_from_db()
    assert (receipt.message_ids, receipt.cleared["messages"], receipt.work) == (ids, 10, None)
    assert set(receipt.verification.values()) == {0}
    assert count_erased() == (10 if order is erase else 0)
    assert run_order(receipt.pk) == "done"


def test_an_order_that_fails_five_times_in_a_row_waits_for_somebody(chat, monkeypatch):
    say_numbered(chat, 10)
    receipt = erase(chat)
    heal = kill_at_batch(monkeypatch, 2, error=RuntimeError)
    for _ in range(order_work.MAX_ATTEMPTS + 1):
        monkeypatch.setattr(order_work, "_clear_batch", order_work._clear_batch)
        run_order(receipt.pk)
        heal_again = kill_at_batch(monkeypatch, 1, error=RuntimeError)
    receipt.refresh_from_db()
    assert (receipt.state, receipt.code, receipt.errors) == ("failed", "interrupted", {"batch": "RuntimeError"})
    assert sweep_orders(now=timezone.now() + dt.timedelta(hours=1)) == 0
    assert count_erased() == BATCH
    heal_again()
    heal()
    assert run_order(receipt.pk) == "failed"
    retry_receipt(tenant_id=chat.tenant_id, receipt_id=receipt.pk, requested_by="test")
    assert run_order(receipt.pk) == "done"
    receipt.refresh_from_db()
    assert (receipt.cleared["contents"], receipt.code, count_erased()) == (10, "", 10)
    with pytest.raises(ReceiptNotFailed):
        retry_receipt(tenant_id=chat.tenant_id, receipt_id=receipt.pk, requested_by="test")


def test_a_worker_that_is_killed_each_time_ends_as_failed(chat, monkeypatch):
    say_numbered(chat, 10)
    receipt = erase(chat)
    kill_at_batch(monkeypatch, 1)
    for _ in range(order_work.MAX_ATTEMPTS):
        with pytest.raises(Killed):
            run_order(receipt.pk)
        kill_at_batch(monkeypatch, 1)
    assert run_order(receipt.pk) == "failed"
    receipt.refresh_from_db()
    assert receipt.code == "interrupted"


def test_a_store_that_is_away_costs_no_try_and_no_word_goes_before_it_heard(chat, monkeypatch):
    heard = []

    def store(forgotten):
        if not heard:
            raise ConnectionError("no route")
        heard.append(forgotten.message_ids)
        return 0

    monkeypatch.setattr(registry, "_memory_stores", dict(registry._memory_stores))
    register_memory_store("sessions", store)
    ids = say_numbered(chat, 10)
    receipt = erase(chat)
    for _ in range(order_work.MAX_ATTEMPTS + 2):
        assert run_order(receipt.pk) == "pending"
    receipt.refresh_from_db()
    assert (receipt.errors, receipt.attempts, count_erased()) == ({"sessions": "ConnectionError"}, 0, 0)
    heard.append(())
    assert run_order(receipt.pk) == "done"
    assert [pk for some in heard for pk in some] == ids


def test_what_the_check_finds_is_not_called_done(chat, monkeypatch):
    say_numbered(chat, 10)
    receipt = erase(chat)
    monkeypatch.setattr(order_work, "count_order_leftovers", lambda _receipt: {"contents": 1})
    assert run_order(receipt.pk) == "failed"
    receipt.refresh_from_db()
    assert (receipt.code, receipt.verification["contents"]) == ("still_found", 1)
    monkeypatch.undo()
    assert sweep_orders(now=timezone.now() + dt.timedelta(minutes=2)) == 1
    assert run_order(receipt.pk) == "done"


@pytest.mark.parametrize("order", [erase, forget_all])
def test_who_orders_again_meanwhile_gets_the_same_receipt_and_no_second_work(chat, order):
    ids = say_numbered(chat, 10)
    first = order(chat)
    run_order(first.pk, seconds=0)
    again = order(chat)
    assert (again.pk, ForgetReceipt.objects.count()) == (first.pk, 1)
    assert Erasure.objects.count() == (1 if order is erase else 0)
    assert run_order(first.pk) == "done"
    first.refresh_from_db()
    assert first.message_ids == ids


def test_what_is_said_meanwhile_stays_until_somebody_orders_again(chat):
    ids = say_numbered(chat, 10)
    receipt = erase(chat)
    later = store_message(
        tenant_id=chat.tenant_id, conversation_id=chat.pk, draft=MessageDraft(role="user", content="Hello again.")
    )
    assert (later.message.seq, later.previous_id) == (11, None)
    assert [card.message_id for card in search_episodes(**owner_filter(chat), query="hello").cards] == [
        later.message.pk
    ]
    run_order(receipt.pk, seconds=0)
    assert Message.objects.living().get().content == "Hello again."
    assert erase(chat).pk == receipt.pk
    assert not Message.objects.living().exists()
    assert run_order(receipt.pk) == "done"
    receipt.refresh_from_db()
    assert receipt.message_ids == [*ids, later.message.pk]


def test_what_is_said_after_the_last_batch_is_not_taken(chat):
    say_numbered(chat, 10)
    receipt = erase(chat)
    assert run_order(receipt.pk) == "done"
    say_numbered(chat, 1, word="copper")
    assert Message.objects.living().get().content == "copper 0"


def test_a_repeat_of_a_message_that_is_to_be_erased_is_a_new_message(chat):
    say_numbered(chat, 10)
    receipt = erase(chat)
    [again] = say_numbered(chat, 1)
    assert Message.objects.living().get().pk == again
    assert run_order(receipt.pk) == "done"
    assert (count_erased(), Message.objects.get(pk=again).content) == (10, "nickel 0")


def test_a_repeat_of_a_message_that_is_to_be_forgotten_is_no_new_one(chat):
    ids = say_numbered(chat, 10)
    receipt = forget_all(chat)
    assert say_numbered(chat, 1) == ids[:1]
    assert run_order(receipt.pk) == "done"


def test_an_erasure_after_an_order_to_forget_takes_the_words_as_well(chat):
    say_numbered(chat, 10)
    run_order(forget_all(chat).pk)
    receipt = erase(chat)
    assert run_order(receipt.pk) == "done"
    receipt.refresh_from_db()
    assert (receipt.cleared["messages"], receipt.cleared["contents"], count_erased()) == (0, 10, 10)


def test_an_order_of_one_world_leaves_the_others(chat):
    world, other = make_world("selmar", tenant="studio"), make_world("third", tenant="studio")
    talks = [open_chat(each.tenant, world=each) for each in (world, other)]
    for talk, word in zip(talks, ("here", "there"), strict=True):
        say_numbered(talk, 10, word=word)
    receipt = erase(chat, world_id=world.pk)
    assert receipt.world_id == world.pk
    assert Message.objects.living().filter(content__startswith="there").count() == 10
    assert not Message.objects.living().filter(content__startswith="here").exists()
    assert run_order(receipt.pk) == "done"
    assert Message.objects.filter(content__startswith="there").count() == count_erased() == 10
    assert EndUser.objects.get(pk=chat.end_user_id).external_id == "player-1"


def test_a_batch_takes_the_same_number_of_queries_wherever_it_is(chat, monkeypatch):
    say_numbered(chat, 5 * BATCH)
    receipt = erase(chat)
    counts, real = [], order_work._clear_batch

    def clear(*args):
        with CaptureQueriesContext(connection) as queries:
            after = real(*args)
        counts.append(len(queries))
        return after

    monkeypatch.setattr(order_work, "_clear_batch", clear)
    assert run_order(receipt.pk) == "done"
    assert len(counts) == 5
    assert len(set(counts)) == 1


def test_accepting_takes_the_same_number_of_queries_whatever_was_said(redis):
    tenant = ensure_tenant(slug="studio")
    counts = []
    for size in (2 * BATCH, 20 * BATCH):
        chat = open_chat(tenant, f"player-{size}")
        say_numbered(chat, size)
        with CaptureQueriesContext(connection) as queries:
            assert erase(chat).order_kind == "erase"
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_database_lets_an_open_order_take_words_of_just_that_user(chat):
    erase_sql = (
        "UPDATE episodes_message SET content = '[erased]', client_message_id = NULL, body_hash = NULL, mood = '',"
        " forgotten_at = now() WHERE id = %s"
    )
    other = open_chat(chat.tenant, "player-2")
    ids, others = say_numbered(chat, 10), say_numbered(other, 1)
    with connection.cursor() as cursor:
        # As if the order had been accepted before: not in this transaction, which is the test's.
        receipt = erase(chat)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE episodes_erasure DISABLE TRIGGER ALL")
        cursor.execute("UPDATE episodes_erasure SET transaction_id = 0")
        cursor.execute("ALTER TABLE episodes_erasure ENABLE TRIGGER ALL")
        [later] = say_numbered(chat, 1, word="later")
        assert_refused("message_append_only", erase_sql, [others[0]])
        assert_refused("message_append_only", erase_sql, [later])
        assert_refused("message_append_only", "DELETE FROM episodes_message WHERE id = %s", [ids[0]])
        assert_refused("message_append_only", "UPDATE episodes_message SET content = 'x' WHERE id = %s", [ids[0]])
        cursor.execute(erase_sql, [ids[0]])
    assert run_order(receipt.pk) == "done"
    assert count_erased() == 10


def test_the_database_takes_no_words_once_the_order_is_done(chat):
    ids = say_numbered(chat, 10)
    run_order(forget_all(chat).pk)
    assert_refused("message_append_only", "UPDATE episodes_message SET content = '[erased]', client_message_id = NULL,"
           " body_hash = NULL WHERE id = %s", [ids[0]])  # fmt: skip


def test_lists_and_counts_of_a_receipt_only_grow_and_one_order_is_open(chat):
    ids = say_numbered(chat, 10)
    receipt = forget_all(chat)
    run_order(receipt.pk, seconds=0)
    ForgetReceipt.objects.filter(pk=receipt.pk).update(message_ids=ids[:4], cleared={**receipt.cleared, "messages": 4})
    for change in (
        f"message_ids = ARRAY[{ids[1]}]", f"message_ids = ARRAY[{ids[0]}, {ids[1]}]", "cleared = '{}'",
        "cleared = jsonb_set(cleared, '{messages}', '3')", "order_kind = 'erase'", "asked = '{}'",
    ):  # fmt: skip
        assert_refused(
            "forget_receipt_stays", f"UPDATE episodes_forgetreceipt SET {change} WHERE id = %s", [receipt.pk]
        )
    assert_refused("forget_receipt_failed_says_why", "UPDATE episodes_forgetreceipt SET state = 'failed'")
    more = {"asked": {}, "message_ids": [], "work": {}, "order_kind": "forget", "advanced_at": timezone.now()}
    with pytest.raises(IntegrityError, match="forget_receipt_one_open_order"), transaction.atomic():
        ForgetReceipt.objects.create(**owner_filter(chat), **more)
    assert_refused("conversation_gone_stays_gone", "UPDATE episodes_conversation SET gone_to = 3")
    assert_refused("conversation_gone_was_said", "UPDATE episodes_conversation SET gone_to = 30")
