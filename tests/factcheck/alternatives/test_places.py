"""One current alternative a place, past the ORM too; what everybody reads; two writers at once."""

from __future__ import annotations

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from episodes.alternatives import actions
from episodes.alternatives.branches import branch_conversation
from episodes.conversations.selectors.conversations import list_messages
from episodes.conversations.selectors.neighbours import find_claim, find_previous_id
from episodes.errors import InvalidBranch, InvalidMessage, MessageForgotten, MessageNotCurrent, TooManyAlternatives
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import Conversation, ConversationAncestor, Message, MessageChange, MessagePassage
from tests.database import check_constraints, run_apart
from tests.factcheck.alternatives.talks import edit, select, swipe
from tests.factories.conversations import open_chat, post, say_alternately


@pytest.fixture
def talk(conversation):
    return post(conversation, "Hello.", ("assistant", "Welcome."), "Any news?")


def read(chat):
    chat.refresh_from_db()
    return [each.content for each in list_messages(chat).messages]


def test_an_edit_keeps_place_time_and_what_it_does_not_say(conversation, talk):
    old = talk[1]
    done = edit(old, "Come in.")
    new = done.message
    assert (new.seq, new.sent_at, new.role, new.revision_of_id) == (2, old.sent_at, "assistant", old.pk)
    assert (new.alternative, new.alternative_of_id) == (1, old.pk)
    again = edit(new, "Come in!")
    assert (again.message.alternative, again.message.alternative_of_id, again.message.revision_of_id) == (
        2,
        old.pk,
        new.pk,
    )
    check_constraints()
    assert read(conversation) == ["Hello.", "Come in!", "Any news?"]


def test_the_same_words_change_nothing(conversation, talk):
    assert edit(talk[0], "Hello.").change is None
    assert (Message.objects.count(), MessageChange.objects.count()) == (3, 0)
    assert select(talk[0]).change is None


def test_an_old_alternative_is_not_edited(conversation, talk):
    new = edit(talk[0], "Good evening.").message
    with pytest.raises(MessageNotCurrent) as refused:
        edit(talk[0], "Hi.")
    assert refused.value.extra == {"current_id": new.pk}
    assert read(conversation)[0] == "Good evening."


def test_a_place_takes_so_many_alternatives_and_no_more(conversation, talk, monkeypatch):
    monkeypatch.setattr(actions, "MAX_ALTERNATIVES", 2)
    first = talk[0]
    second = swipe(conversation, first.seq, "Second.").message
    with pytest.raises(TooManyAlternatives):
        swipe(conversation, first.seq, "Third.")
    with pytest.raises(TooManyAlternatives):
        edit(second, "Third.")
    assert select(first).message == first
    assert Message.objects.filter(conversation=conversation, seq=first.seq).count() == 2


def test_what_is_forgotten_is_neither_edited_nor_chosen(conversation, talk):
    swiped = swipe(conversation, 3, "No news?").message
    forget_message(tenant_id=conversation.tenant_id, message_id=talk[2].pk, requested_by="test")
    with pytest.raises(MessageForgotten):
        select(talk[2])
    forget_message(tenant_id=conversation.tenant_id, message_id=swiped.pk, requested_by="test")
    for act in (lambda: edit(swiped, "x"), lambda: swipe(conversation, 3, "y")):
        with pytest.raises(MessageForgotten):
            act()


def test_forgetting_a_current_message_forgets_all_that_stood_there(conversation, talk):
    edited = edit(talk[0], "I live at 5 Mill Lane.").message
    last = edit(edited, "I live somewhere.").message
    receipt = forget_message(tenant_id=conversation.tenant_id, message_id=last.pk, requested_by="test")
    assert set(receipt.message_ids) >= {talk[0].pk, edited.pk, last.pk}
    assert not Message.objects.filter(conversation=conversation, seq=1, forgotten_at__isnull=True).exists()


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ("UPDATE episodes_message SET is_current = TRUE WHERE id = {old}", "message_one_current"),
        ("UPDATE episodes_message SET is_current = FALSE WHERE id = {new}", "message_one_current"),
        ("UPDATE episodes_message SET alternative = 7 WHERE id = {new}", "message_append_only"),
        (
            (
                "UPDATE episodes_message SET forgotten_at = now() WHERE id = {old};"
                " UPDATE episodes_message SET is_current = TRUE WHERE id = {old}"
            ),
            "message_append_only",
        ),
        (
            (
                "INSERT INTO episodes_message (tenant_id, conversation_id, seq, alternative, role, content, npc_id,"
                " session_id, language, frame, memory_type, response_description, sent_at) SELECT tenant_id,"
                " conversation_id, seq, 5, role, 'x', '', '', 'en', 'unknown', '', '', sent_at"
                " FROM episodes_message WHERE id = {old}"
            ),
            "message_alternative_at_place",
        ),
        (
            (
                "INSERT INTO episodes_message (tenant_id, conversation_id, seq, alternative, alternative_of_id, role,"
                " content, npc_id, session_id, language, frame, memory_type, response_description, sent_at) SELECT"
                " tenant_id, conversation_id, 2, 5, id, role, 'x', '', '', 'en', 'unknown', '', '', sent_at"
                " FROM episodes_message WHERE id = {old}"
            ),
            "message_alternative_at_place",
        ),
        (
            (
                "INSERT INTO episodes_message (tenant_id, conversation_id, seq, alternative, alternative_of_id, role,"
                " content, npc_id, session_id, language, frame, memory_type, response_description, sent_at) SELECT"
                " tenant_id, conversation_id, seq, 5, id, role, 'x', '', '', 'en', 'unknown', '', '', sent_at"
                " FROM episodes_message WHERE id = {old}"
            ),
            "message_current_unique",
        ),
        ("DELETE FROM episodes_messagechange", "message_change_append_only"),
    ],
)
def test_the_database_keeps_one_current_alternative_a_place(conversation, talk, change, refusal):
    new = edit(talk[0], "Good evening.").message
    statement = change.format(old=talk[0].pk, new=new.pk) + "; SET CONSTRAINTS ALL IMMEDIATE"
    with pytest.raises(IntegrityError, match=refusal), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_branch_reads_its_trunk_up_to_the_fork(conversation, talk):
    branch = branch_conversation(
        tenant_id=conversation.tenant_id, conversation_id=conversation.pk, from_seq=2
    ).conversation
    [own] = post(branch, "Another way.")
    assert own.seq == 3
    assert read(branch) == ["Hello.", "Welcome.", "Another way."]
    assert read(conversation) == ["Hello.", "Welcome.", "Any news?"]
    assert find_previous_id(conversation_id=branch.pk, seq=3) == talk[1].pk
    assert find_claim(own).message_id == talk[1].pk
    edit(talk[1], "Come in.")
    assert read(branch)[1] == read(conversation)[1] == "Come in."


def test_a_branch_of_a_branch_begins_at_who_holds_the_place(conversation, talk):
    def branch(of, seq, **more):
        return branch_conversation(tenant_id=of.tenant_id, conversation_id=of.pk, from_seq=seq, **more).conversation

    first = branch(conversation, 2)
    post(first, "Left.", ("assistant", "A door."))
    second = branch(first, 3)
    post(second, "Open it.")
    shared = branch(second, 1)
    assert read(second) == ["Hello.", "Welcome.", "Left.", "Open it."]
    assert (shared.trunk_id, shared.fork_seq) == (conversation.pk, 1)
    assert read(shared) == ["Hello."]
    assert set(second.ancestors.values_list("ancestor_id", "through_seq")) == {(first.pk, 3), (conversation.pk, 2)}
    assert {each.tree_id for each in Conversation.objects.all()} == {conversation.pk}
    with pytest.raises(IntegrityError, match="conversation_ancestor"), transaction.atomic():
        ConversationAncestor.objects.create(conversation=first, ancestor=second, through_seq=1)


@pytest.mark.parametrize("seq", [4, 99])
def test_there_is_no_branch_at_a_place_that_is_not_there(conversation, talk, seq):
    with pytest.raises(InvalidBranch):
        branch_conversation(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, from_seq=seq)


def test_a_branch_has_a_session_of_its_own_and_is_opened_once(tenant, conversation, talk):
    with_session = open_chat(tenant, session_id="s-1")
    post(with_session, "Hi.")
    with pytest.raises(InvalidBranch):
        branch_conversation(tenant_id=tenant.pk, conversation_id=with_session.pk, from_seq=1, session_id="s-1")
    place = {"tenant_id": tenant.pk, "conversation_id": with_session.pk, "from_seq": 1, "external_id": "b-1"}
    first, again = branch_conversation(**place), branch_conversation(**place)
    assert (first.created, again.created) == (True, False)
    assert first.conversation.pk == again.conversation.pk


@pytest.mark.django_db(transaction=True)
def test_two_swipes_at_once_are_both_kept_and_one_is_current(conversation):
    post(conversation, ("assistant", "Welcome."))
    barrier = threading.Barrier(2)

    def act(text):
        barrier.wait()
        return swipe(conversation, 1, text).message.pk

    done = run_apart(lambda: act("One."), lambda: act("Two."))
    assert len(set(done)) == 2
    rows = Message.objects.filter(conversation=conversation, seq=1)
    assert sorted(rows.values_list("alternative", flat=True)) == [0, 1, 2]
    assert rows.filter(is_current=True).count() == MessagePassage.objects.filter(conversation=conversation).count() == 1


def test_a_branch_hides_what_an_order_took_from_its_trunk(conversation, talk):
    Conversation.objects.filter(pk=conversation.pk).update(gone_to=1, gone_at=talk[0].created_at)
    place = {"tenant_id": conversation.tenant_id, "conversation_id": conversation.pk}
    with pytest.raises(MessageForgotten):
        branch_conversation(**place, from_seq=1)
    branch = branch_conversation(**place, from_seq=3).conversation
    assert branch.gone_to == 1
    assert [message.forgotten_at is None for message in list_messages(branch).messages] == [False, True, True]
    Conversation.objects.filter(pk=conversation.pk).update(gone_to=3)
    with pytest.raises(MessageForgotten):
        edit(talk[2], "x")


def test_a_message_of_a_branch_answers_one_of_its_trunk(conversation, talk):
    place = {"tenant_id": conversation.tenant_id, "conversation_id": conversation.pk}
    branch = branch_conversation(**place, from_seq=2).conversation
    [posted] = post(branch, "Thank you.", reply_to_id=talk[1].pk)
    assert posted.reply_to_id == talk[1].pk
    with pytest.raises(InvalidMessage):
        post(branch, "Pardon?", reply_to_id=talk[2].pk)


def say_lines(chat, count):
    return say_alternately(chat, [f"The ferry {index} rings." for index in range(count)])


def count_work(act):
    """Statements, and rows that they read by index."""

    def count_rows():
        with connection.cursor() as cursor:
            cursor.execute("SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables")
            return int(cursor.fetchone()[0])

    before = count_rows()
    with CaptureQueriesContext(connection) as queries:
        act()
    statements = len(queries)
    return statements, count_rows() - before


@pytest.mark.parametrize(
    ("place", "text", "most"),
    [(10, "The ferry rings.", 38), (11, "The ferry rings.", 45), (0, "I'm allergic to nickel.", 140)],
    ids=["nothing rests on it", "the assistant's", "an allergy"],
)
def test_an_edit_costs_the_same_in_a_talk_of_ten_times_the_length(tenant, place, text, most):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # small tables are read as large ones are
    work = []
    for length in (40, 400):
        chat = open_chat(tenant, f"player-{length}")
        post(chat, "I'm allergic to nuts.")
        say_lines(chat, length)
        messages = list(Message.objects.filter(conversation=chat).order_by("seq"))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE episodes_message; ANALYZE episodes_messagepassage; ANALYZE episodes_conversation")
        edit(messages[20], "The tower.")  # statements are prepared
        work.append(count_work(lambda: edit(messages[place], text)))  # noqa: B023 - called at once
    (few, rows), (many, more_rows) = work
    assert few == many <= most
    assert more_rows <= rows + 180  # a claim is looked for 50 places back; what reads the talk reads 360 more
