"""What NPCs remember of a talk that was edited, swiped and branched."""

from __future__ import annotations

from episodes.alternatives.actions import AlternativeDraft
from episodes.conversations.selectors.sessions import list_session_messages
from factcheck.alternatives.actions import add_swipe, edit_message, select_message
from runtime.session_memory.actions import clear_session
from runtime.session_memory.selectors import load_short_memory


def remembered(talk):
    return [entry.content for entry in load_short_memory(talk.session(), "oda").entries]


def edit(talk, message_id, text):
    return edit_message(
        tenant_id=talk.world.tenant_id, message_id=message_id, draft=AlternativeDraft(text), requested_by="test"
    ).message.pk


def test_edits_swipes_and_choices_show_in_their_places(talk):
    first, second, third = (talk.say(text) for text in ("One.", "Two.", "Three."))
    assert remembered(talk) == ["One.", "Two.", "Three."]
    edit(talk, second, "Two, truly.")
    assert remembered(talk) == ["One.", "Two, truly.", "Three."]
    add_swipe(
        tenant_id=talk.world.tenant_id,
        conversation_id=talk.conversation.pk,
        seq=3,
        draft=AlternativeDraft("Drei."),
        requested_by="test",
    )
    assert remembered(talk) == ["One.", "Two, truly.", "Drei."]
    talk.say("Four.")
    assert remembered(talk) == ["One.", "Two, truly.", "Drei.", "Four."]
    select_message(tenant_id=talk.world.tenant_id, message_id=third, requested_by="test")
    assert remembered(talk) == ["One.", "Two, truly.", "Three.", "Four."]
    assert first


def test_what_was_cleared_does_not_come_back_by_an_edit(talk):
    old = talk.say("One.")
    clear_session(talk.session(), npc_id="oda")
    talk.say("Two.")
    edit(talk, old, "One, again.")
    assert remembered(talk) == ["Two."]


def test_an_old_edited_message_takes_no_place_of_a_newer_one(talk, settings):
    settings.MEMORY_MAX_MESSAGES = 3
    ids = [talk.say(f"Line {number}.") for number in range(6)]
    edit(talk, ids[0], "Long ago.")
    assert remembered(talk) == ["Line 3.", "Line 4.", "Line 5."]
    rows = list_session_messages(
        tenant_id=talk.world.tenant_id, world_id=talk.world.pk, session_id="s", npc_id="oda", limit=3
    )
    assert [row.content for row in rows] == ["Line 3.", "Line 4.", "Line 5."]
