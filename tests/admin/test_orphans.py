"""The list of messages that nobody embeds any more, and trying them again."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from episodes import tasks
from episodes.embedding import priorities
from episodes.models import MessagePassage
from tests.factories.conversations import open_chat, say

pytestmark = pytest.mark.django_db
LIST = "admin:episodes_messagepassage_changelist"


def start_chat(world, *contents):
    chat = open_chat(world.tenant, f"player of {world.tenant.slug}")
    say(chat, *contents)
    return chat


def fail(**conditions):
    MessagePassage.objects.filter(**conditions).update(
        embedding_state="failed", embedding_attempts=3, embedding_error="the endpoint hung up"
    )


@pytest.fixture
def sent(monkeypatch):
    sent = []
    monkeypatch.setattr(
        tasks.embed_backlog, "apply_async", lambda args, priority, **_: sent.append((args[0], priority))
    )
    return sent


def test_failed_and_long_waiting_messages_are_listed_with_error_and_tries(selmar, sign_in):
    chat = start_chat(selmar, "one", "two", "three")
    fail(seq=1)
    MessagePassage.objects.filter(seq=2).update(created_at=timezone.now() - dt.timedelta(hours=2))
    page = sign_in(selmar.reviewer).get(reverse(LIST))
    assert [(row.seq, row.embedding_state) for row in page.context["cl"].result_list] == [(2, "pending"), (1, "failed")]
    text = page.content.decode()
    assert "the endpoint hung up" in text
    assert reverse("admin:player_conversation", args=[chat.pk]) in text


def test_others_do_not_see_them(selmar, rival, sign_in):
    start_chat(selmar, "one")
    fail()
    passage = MessagePassage.objects.get()
    assert sign_in(selmar.editor).get(reverse(LIST)).status_code == 403
    stranger = sign_in(rival.reviewer)
    assert list(stranger.get(reverse(LIST)).context["cl"].result_list) == []
    stranger.post(reverse(LIST), {"action": "retry_chosen", "_selected_action": [passage.pk]})
    assert MessagePassage.objects.get().embedding_state == "failed"
    assert stranger.get(reverse("admin:episodes_messagepassage_change", args=[passage.pk])).status_code == 404


def test_chosen_ones_are_tried_again(selmar, sign_in, sent, django_capture_on_commit_callbacks):
    start_chat(selmar, "one", "two")
    fail()
    first = MessagePassage.objects.get(seq=1)
    form = {"action": "retry_chosen", "_selected_action": [first.pk]}
    with django_capture_on_commit_callbacks(execute=True):
        answer = sign_in(selmar.reviewer).post(reverse(LIST), form, follow=True)
    assert "1 messages wait for the embedder again" in answer.content.decode()
    states = list(MessagePassage.objects.order_by("seq").values_list("embedding_state", "embedding_attempts"))
    assert states == [("pending", 0), ("failed", 3)]
    assert sent == [(selmar.tenant.pk, priorities.PRIORITY_RECOVERY)]


def test_all_of_ones_tenants_are_tried_again_and_no_others(
    selmar, rival, sign_in, sent, django_capture_on_commit_callbacks
):
    start_chat(selmar, *[f"turn {number}" for number in range(60)])
    start_chat(rival, "theirs")
    fail()
    some = MessagePassage.objects.filter(tenant=selmar.tenant).first()
    form = {"action": "retry_chosen", "_selected_action": [some.pk], "select_across": "1"}
    with django_capture_on_commit_callbacks(execute=True):
        sign_in(selmar.reviewer).post(reverse(LIST), form)
    assert MessagePassage.objects.filter(embedding_state="failed").get().tenant == rival.tenant
    assert len(sent) == 1


def test_the_list_takes_the_same_queries_at_any_size(selmar, sign_in):
    client = sign_in(selmar.reviewer)

    def count():
        with CaptureQueriesContext(connection) as captured:
            assert client.get(reverse(LIST)).status_code == 200
        return len(captured)

    start_chat(selmar, "one")
    fail()
    few = count()
    start_chat(selmar, *[f"turn {number}" for number in range(40)])
    fail()
    assert count() == few
