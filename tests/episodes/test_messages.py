"""RAW: messages get their places, are kept word for word, and are what they were."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_message, store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.conversations.core.narrative_modes import detect_narrative_mode
from episodes.conversations.selectors.conversations import list_messages
from episodes.errors import ClientMessageIdReused, ConversationTaken, InvalidMessage, UnknownConversation
from episodes.models import Conversation, Message, MessagePassage
from knowledge.search.core.lexemes import build_partition_id, hash_lexeme
from tenancy.actions.worlds import ensure_world
from tests.database import assert_refused
from tests.factories.conversations import open_chat


def say(conversation, content="hello there", role="user", **more):
    return store_message(
        tenant_id=conversation.tenant_id,
        conversation_id=conversation.pk,
        draft=MessageDraft(role=role, content=content, **more),
    )


def test_messages_stand_in_their_order_word_for_word(conversation):
    words = ["  first\n", "ВТОРОЙ", "ثالث", "m\u200bed\u00adium", "👩‍👩‍👧", "\u202eabc\u202c шалом"]
    for content in words:
        say(conversation, content)
    page = list_messages(conversation)
    assert [(row.seq, row.content) for row in page.messages] == list(enumerate(words, start=1))
    assert [row.language for row in page.messages][:3] == ["en", "ru", "ar"]
    conversation.refresh_from_db()
    assert (conversation.last_seq, conversation.pending_extraction_count) == (6, 6)


def test_a_message_is_indexed_in_its_users_partition(conversation):
    say(conversation, "Nickel gives me a rash")
    passage = MessagePassage.objects.get()
    scope = build_partition_id("end_user", conversation.end_user_id)
    assert scope < 0
    assert hash_lexeme(scope, "nickel") in passage.lexemes
    assert hash_lexeme(conversation.end_user_id, "nickel") not in passage.lexemes
    assert (passage.length, passage.seq, passage.embedding_state) == (5, 1, "pending")


def test_zero_width_characters_inside_words_do_not_hide_them_from_search(conversation):
    say(conversation, "ni\u200bck\u2060el")
    scope = build_partition_id("end_user", conversation.end_user_id)
    assert MessagePassage.objects.get().lexemes == [hash_lexeme(scope, "nickel")]


def test_what_the_runtime_says_to_itself_is_kept_but_not_searched(conversation):
    say(conversation, "You are Oda.", role="system")
    assert Message.objects.count() == 1
    assert not MessagePassage.objects.exists()
    conversation.refresh_from_db()
    assert conversation.pending_extraction_count == 0


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "message_empty"),
        (" \n\t\u3000", "message_empty"),
        ("\u200b\u200d\ufeff\u2060\ufe0f", "message_empty"),
        ("a\x00b", "message_not_text"),
        ("half \ud83d", "message_not_text"),
        ("x" * 1_048_577, "message_too_long"),
    ],
)
def test_what_is_no_message_is_refused_and_changes_nothing(conversation, content, code):
    with pytest.raises(InvalidMessage) as caught:
        say(conversation, content)
    assert caught.value.code == code
    conversation.refresh_from_db()
    assert (conversation.last_seq, Message.objects.count()) == (0, 0)


def test_a_message_of_a_megabyte_is_kept(conversation):
    content = "rope and lantern " * 61_680
    assert len(content) > 1_000_000
    assert say(conversation, content).message.seq == 1
    assert Message.objects.get().content == content


def test_only_emoji_is_a_message(conversation):
    assert say(conversation, "🔥🔥").message.language == "und"


@pytest.mark.parametrize(
    ("offset", "code"),
    [(dt.timedelta(minutes=6), "sent_at_in_future"), (dt.timedelta(days=-365 * 56), "sent_at_too_early")],
)
def test_impossible_times_are_refused(conversation, offset, code):
    with pytest.raises(InvalidMessage) as caught:
        say(conversation, sent_at=timezone.now() + offset)
    assert caught.value.code == code


def test_a_history_keeps_its_times_and_its_order(conversation):
    begin = dt.datetime(2021, 5, 1, tzinfo=dt.UTC)
    drafts = [MessageDraft(role="user", content=f"turn {n}", sent_at=begin + dt.timedelta(hours=n)) for n in range(500)]
    stored = store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    assert [each.message.seq for each in stored] == list(range(1, 501))
    last = Message.objects.get(seq=500)
    assert (last.content, last.sent_at) == ("turn 499", begin + dt.timedelta(hours=499))
    with pytest.raises(InvalidMessage, match="1 to 500"):
        store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=[*drafts, drafts[0]])


def test_a_batch_with_one_bad_message_stores_none_and_names_it(conversation):
    drafts = [MessageDraft(role="user", content=content) for content in ("good", " ", "good")]
    with pytest.raises(InvalidMessage) as caught:
        store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    assert caught.value.extra == {"position": 1}
    assert not Message.objects.exists()


def test_a_repeat_under_a_client_id_gives_the_first_message(conversation):
    first = say(conversation, "once", client_message_id="c1")
    again = say(conversation, "once", client_message_id="c1")
    assert (first.created, again.created) == (True, False)
    assert again.message.pk == first.message.pk
    conversation.refresh_from_db()
    assert (conversation.last_seq, Message.objects.count()) == (1, 1)


@pytest.mark.parametrize("other", [{"content": "twice"}, {"role": "assistant"}, {"memory_type": "fact"}])
def test_a_client_id_with_another_body_is_a_conflict(conversation, other):
    say(conversation, "once", client_message_id="c1")
    with pytest.raises(ClientMessageIdReused):
        say(conversation, **{"content": "once", "client_message_id": "c1", **other})
    assert Message.objects.count() == 1


def test_client_ids_repeat_within_a_batch_and_between_conversations(conversation):
    drafts = [
        MessageDraft(role="user", content=c, client_message_id=i) for c, i in (("a", "1"), ("b", "2"), ("a", "1"))
    ]
    stored = store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    assert [each.created for each in stored] == [True, True, False]
    assert stored[0].message.pk == stored[2].message.pk
    other = open_chat(conversation.tenant)
    assert say(other, "another", client_message_id="1").created


def test_replies_stay_in_their_conversation(conversation, tenant):
    first = say(conversation, "Three looks: red, blue, green.", role="assistant").message
    assert say(conversation, "The second!", reply_to_id=first.pk).message.reply_to_id == first.pk
    other = open_chat(tenant)
    with pytest.raises(InvalidMessage) as caught:
        say(other, "The second!", reply_to_id=first.pk)
    assert caught.value.code == "reply_to_unknown"


def test_another_tenants_conversation_does_not_exist(conversation, rival):
    with pytest.raises(UnknownConversation):
        store_message(tenant_id=rival.pk, conversation_id=conversation.pk, draft=MessageDraft("user", "hi"))


def test_a_conversation_is_opened_once_under_its_external_id(tenant):
    world = ensure_world(tenant_id=tenant.pk, slug="ashfall")
    first = open_conversation(tenant_id=tenant.pk, user_id="p", external_id="chat", world_id=world.pk)
    again = open_conversation(tenant_id=tenant.pk, user_id="p", external_id="chat", world_id=world.pk)
    assert (first.created, again.created) == (True, False)
    assert first.conversation.pk == again.conversation.pk
    with pytest.raises(ConversationTaken):
        open_conversation(tenant_id=tenant.pk, user_id="q", external_id="chat", world_id=world.pk)
    assert Conversation.objects.count() == 1


def test_worlds_do_not_tell_each_other_which_external_ids_are_in_use(tenant):
    worlds = [ensure_world(tenant_id=tenant.pk, slug=slug).pk for slug in ("ashfall", "second")]
    opened = [
        open_conversation(tenant_id=tenant.pk, user_id=user_id, external_id="chat", world_id=world_id)
        for world_id in (*worlds, None)
        for user_id in ("p", "p")
    ]
    assert [each.created for each in opened] == [True, False] * 3
    with pytest.raises(IntegrityError), transaction.atomic():
        Conversation.objects.create(tenant=tenant, end_user=opened[0].conversation.end_user, external_id="chat")


@pytest.mark.parametrize(
    ("content", "frame"),
    [
        ('"Draw your sword!" *steps forward*', "in_character"),
        ("«Я ненавижу грибы», *хмурится*", "in_character"),
        ("*I am allergic to silver*", "in_character"),
        ("((can we skip spiders?))", "out_of_character"),
        ("OOC: no torture please", "out_of_character"),
        ("// brb", "out_of_character"),
        ('I told him "no" yesterday', "unknown"),
        ("2 * 3 * 4", "unknown"),
        ("((unfinished", "unknown"),
    ],
)
def test_the_narrative_mode_is_told_from_marks(content, frame):
    assert detect_narrative_mode(content) == frame


def test_the_runtimes_narrative_mode_wins_over_the_marks(conversation):
    assert say(conversation, '"Hello"', frame="out_of_character").message.frame == "out_of_character"


def test_the_database_keeps_messages_as_they_are(conversation):
    message = say(conversation, "word for word", role="assistant", response_description="a card").message
    for change in ("content = 'other'", "seq = 9", "role = 'user'", "sent_at = now()", "response_description = 'x'"):
        assert_refused("message_append_only", f"UPDATE episodes_message SET {change}, forgotten_at = now()")
    assert_refused("message_append_only", "DELETE FROM episodes_message")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE episodes_message SET forgotten_at = now(), response_description = ''")
    assert_refused("message_append_only", "UPDATE episodes_message SET forgotten_at = NULL")
    assert_refused("message_append_only", "UPDATE episodes_message SET forgotten_at = now() + interval '1 day'")
    message.refresh_from_db()
    assert (message.content, message.response_description) == ("word for word", "")


INSERT = """
    INSERT INTO episodes_message (tenant_id, conversation_id, seq, role, content, reply_to_id, npc_id, session_id,
        language, frame, memory_type, response_description, client_message_id, body_hash, sent_at)
    VALUES (%(tenant)s, %(conversation)s, %(seq)s, %(role)s, %(content)s, %(reply_to)s, '', '', 'en', %(frame)s, '', '',
        %(client)s, NULL, %(sent_at)s)
"""


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"seq": 1}, "message_alternative_unique"),
        ({"seq": 0}, "message_seq_from_one"),
        ({"seq": 3}, "message_belongs"),
        ({"content": ""}, "message_content_not_empty"),
        ({"role": "narrator"}, "message_role_known"),
        ({"frame": "odd"}, "message_frame_known"),
        ({"client": "c9"}, "message_client_id_has_hash"),
        ({"sent_at": "1970-01-01T00:00:00Z"}, "message_sent_at_possible"),
        ({"sent_at": "2999-01-01T00:00:00Z"}, "message_sent_at_possible"),
        ({"tenant": "rival"}, "message_belongs"),
        ({"reply_to": "elsewhere"}, "message_reply_in_conversation"),
    ],
)
def test_the_database_refuses_what_can_be_no_message(conversation, rival, change, rule):
    other = open_chat(rival)
    elsewhere = say(other).message
    say(conversation)
    Conversation.objects.filter(pk=conversation.pk).update(last_seq=2)
    row = {
        "tenant": conversation.tenant_id,
        "conversation": conversation.pk,
        "seq": 2,
        "role": "user",
        "content": "hi",
        "reply_to": None,
        "frame": "unknown",
        "client": None,
        "sent_at": "2024-01-01T00:00:00Z",
        **change,
    }
    row |= {"tenant": rival.pk} if row["tenant"] == "rival" else {}
    row |= {"reply_to": elsewhere.pk} if row["reply_to"] == "elsewhere" else {}
    assert_refused(rule, INSERT, row)


def test_the_database_refuses_a_conversation_of_two_tenants(conversation, rival):
    assert_refused("conversation_owner_fixed", "UPDATE episodes_conversation SET tenant_id = %s", [rival.pk])
    assert_refused(
        "conversation_same_tenant",
        "INSERT INTO episodes_conversation (tenant_id, end_user_id, npc_id, session_id) VALUES (%s, %s, '', '')",
        [rival.pk, conversation.end_user_id],
    )


@pytest.mark.parametrize("size", [1, 300])
def test_storing_takes_the_same_few_queries_for_one_message_and_for_many(conversation, size, django_assert_num_queries):
    drafts = [MessageDraft(role="user", content=f"turn {n}") for n in range(size)]
    with django_assert_num_queries(4):  # the owner, one statement, and the savepoint inside the test's own transaction
        store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)


def test_pages_go_both_ways(conversation, django_assert_num_queries):
    for number in range(1, 8):
        say(conversation, f"turn {number}")
    seqs = {}
    for name, ask in {"first": {}, "after": {"after": 5}, "before": {"before": 4}}.items():
        with django_assert_num_queries(1):
            page = list_messages(conversation, limit=3, **ask)
        seqs[name] = ([row.seq for row in page.messages], page.has_more)
    assert seqs == {"first": ([1, 2, 3], True), "after": ([6, 7], False), "before": ([1, 2, 3], False)}
