"""What was said later about what an edit states: denials that nobody knew what to do with, and old ones unheard."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from episodes.alternatives.branches import branch_conversation
from factcheck.corrections.actions.corrections import Applied
from factcheck.instant.actions import extraction_writes
from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.models import MemoryCorrection, UserFact
from tests.factcheck.alternatives.talks import edit, select, swipe
from tests.factories.conversations import open_chat, post
from tests.factories.facts import get_known, owner_filter

NUTS, SIZE = ("allergy", "nuts"), ("body_params", "size")


def is_disputed(chat):
    return UserFact.objects.get(end_user_id=chat.end_user_id, is_active=True).is_disputed


def say_unheard(chat, text, monkeypatch):
    """A message as an earlier version of the patterns left it, which took it for no correction."""
    with monkeypatch.context() as patched:
        patched.setattr(extraction_writes, "apply_correction", lambda **_: Applied())
        return post(chat, ("user", text))[0]


def test_a_bare_no_that_left_no_trace_disputes_what_an_edit_states_before_it(conversation):
    first, *_ = post(conversation, "Hello.", ("assistant", "Your size is L."), "No.")
    assert not MemoryCorrection.objects.exists()
    edit(first, "My size is M.")
    assert (get_known(conversation), is_disputed(conversation)) == ({SIZE: "M"}, True)
    assert rebuild_facts(**owner_filter(conversation), dry_run=True).differences.is_none
    select(first)
    assert get_known(conversation) == {}


def test_a_denial_of_what_nobody_knew_ends_what_an_edit_states_before_it(conversation):
    first, denial = post(conversation, "Hello.", "I'm not allergic to nuts.")
    done = edit(first, "I'm allergic to nuts.")
    assert (get_known(conversation), done.facts.added) == ({}, ())
    edit(denial, "What a lovely evening.")
    assert get_known(conversation) == {NUTS: "nuts"}


def test_a_denial_of_one_thing_leaves_another_that_an_edit_states(conversation):
    first, _ = post(conversation, "Hello.", "I'm not allergic to wool.")
    edit(first, "I'm allergic to nuts.")
    assert get_known(conversation) == {NUTS: "nuts"}


def test_a_yes_to_a_question_that_is_swiped_in_is_denied_by_what_was_said_later(conversation):
    post(conversation, ("assistant", "Are you tired?"), "Yes.", "I'm not allergic to nuts.")
    swipe(conversation, 1, "Are you allergic to nuts?")
    assert get_known(conversation) == {}
    swipe(conversation, 3, "Good night.")
    assert get_known(conversation) == {NUTS: "nuts"}


def test_a_denial_in_a_branch_and_in_another_talk_counts_and_another_players_does_not(tenant, conversation):
    [first] = post(conversation, "Hello.")
    other = open_chat(tenant, "player-2")
    post(other, "I'm not allergic to nuts.")
    edit(first, "I'm allergic to nuts.")
    assert get_known(conversation) == {NUTS: "nuts"}
    place = {"tenant_id": tenant.pk, "conversation_id": conversation.pk}
    branch = branch_conversation(**place, from_seq=1).conversation
    select(first)
    post(branch, "I'm not allergic to nuts.")
    swipe(conversation, 1, "I'm allergic to nuts.")
    assert get_known(conversation) == {}


@pytest.mark.parametrize("now", ["My size is S.", "What a lovely evening."])
def test_an_edit_of_something_else_leaves_an_allergy_that_todays_patterns_hear_denied(conversation, monkeypatch, now):
    first, _ = post(conversation, "I'm allergic to nuts.", ("assistant", "You are allergic to nuts."))
    say_unheard(conversation, "My size is M. I'm not allergic to nuts.", monkeypatch)
    [third] = post(conversation, "I'm allergic to nickel and my size is L.")
    nuts = UserFact.objects.get(type="allergy", evidence__overlap=[first.pk])
    edit(third, now)
    assert NUTS in get_known(conversation)
    again = UserFact.objects.get(pk=nuts.pk)
    assert (again.is_active, again.is_disputed, again.updated_at) == (True, False, nuts.updated_at)


def test_words_that_stay_bear_an_allergy_whose_denial_nobody_heard(conversation, monkeypatch):
    [first] = post(conversation, "I'm allergic to nuts.")
    say_unheard(conversation, "I'm allergic to dust. I'm not allergic to nuts.", monkeypatch)
    [third] = post(conversation, "As I said, I'm allergic to nuts.")
    done = edit(third, "What a lovely evening.")
    assert (get_known(conversation), len(done.facts.kept)) == ({NUTS: "nuts", ("allergy", "dust"): "dust"}, 1)
    assert UserFact.objects.get(pk=done.facts.kept[0]).evidence == [first.pk]


@pytest.mark.parametrize("length", [10, 60])
def test_what_was_said_later_is_found_in_one_query_however_much_it_is(conversation, length):
    first, *_ = post(conversation, *(f"The ferry rings {number} times." for number in range(length)))
    edit(first, "The ferry.")
    with CaptureQueriesContext(connection) as queries:
        edit(first.conversation.messages.get(seq=1, is_current=True), "I'm allergic to nuts.")
    assert len(queries) <= 80
