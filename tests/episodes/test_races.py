"""Many writers on one conversation: nothing is lost, doubled or out of order."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, connections, transaction

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import lock_conversation, store_message
from episodes.conversations.actions.replies import store_reply
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import Conversation, Message
from tenancy.actions.worlds import ensure_tenant
from tests.database import run_apart
from tests.factories.conversations import say

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = 8
EACH = 10


def test_eight_writers_on_one_conversation_lose_and_double_nothing(conversation):
    def write(writer):
        return [say(conversation, f"{writer}:{n}")[0].seq for n in range(EACH)]

    places = run_apart(*[lambda writer=writer: write(writer) for writer in range(WRITERS)])
    assert sorted(seq for seqs in places for seq in seqs) == list(range(1, WRITERS * EACH + 1))
    assert all(seqs == sorted(seqs) for seqs in places)
    assert Message.objects.filter(conversation=conversation).count() == WRITERS * EACH


def test_twins_under_one_client_id_become_one_message(conversation):
    barrier = threading.Barrier(4)

    def write():
        barrier.wait(10)
        draft = MessageDraft(role="user", content="once", client_message_id="c1")
        return store_message(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, draft=draft)

    stored = run_apart(*[write] * 4)
    assert sum(each.created for each in stored) == 1
    assert len({each.message.pk for each in stored}) == 1
    assert Message.objects.count() == 1


def test_a_writer_waits_for_the_lock_before_it_takes_a_place(conversation):
    done = threading.Event()

    def write():
        try:
            say(conversation, "second")
        finally:
            done.set()
            connections.close_all()

    with transaction.atomic():
        lock_conversation(tenant_id=conversation.tenant_id, conversation_id=conversation.pk)
        thread = threading.Thread(target=write)
        thread.start()
        with connection.cursor() as cursor:
            for _ in range(200):
                cursor.execute(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
                )
                if cursor.fetchone()[0]:
                    break
                done.wait(0.02)
        assert not done.is_set()
        say(conversation, "first")
    thread.join(20)
    assert list(Message.objects.order_by("seq").values_list("content", flat=True)) == ["first", "second"]


def test_two_who_open_one_conversation_get_the_same(transactional_db):
    tenant = ensure_tenant(slug="studio")
    barrier = threading.Barrier(3)

    def open_one():
        barrier.wait(10)
        return open_conversation(tenant_id=tenant.pk, user_id="new", external_id="chat")

    opened = run_apart(*[open_one] * 3)
    assert sum(each.created for each in opened) == 1
    assert Conversation.objects.count() == 1


def test_two_replies_to_one_message_become_one(conversation):
    [message] = say(conversation, "Is it late?")
    barrier = threading.Barrier(2)

    def reply(content):
        barrier.wait(10)
        return store_reply(message=message, content=content)

    stored = run_apart(lambda: reply("Early."), lambda: reply("Late."))
    assert sorted(each.created for each in stored) == [False, True]
    assert len({each.message.pk for each in stored}) == 1
    assert Message.objects.filter(reply_to=message).count() == 1
