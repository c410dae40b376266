"""A message of any length can be read whole where support people look at it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from episodes.conversations.actions.conversations import open_conversation
from tests.factories.conversations import open_chat, say

pytestmark = pytest.mark.django_db
LONG = (
    "\n".join(f"Line {number} of a long story about <b>bridges</b>." for number in range(600))
    + "\nThe very last words."
)


def escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")


def test_a_long_message_is_whole_on_its_page_and_in_its_conversation(selmar, sign_in):
    assert len(LONG) > 20_000
    chat = open_chat(selmar.tenant)
    [message] = say(chat, LONG)
    client = sign_in(selmar.reviewer)
    for page in (
        reverse("admin:episodes_message_change", args=[message.pk]),
        reverse("admin:player_conversation", args=[chat.pk]),
    ):
        text = client.get(page).content.decode()
        assert escaped(LONG) in text, page
        assert f"Show all {len(LONG)} characters" in text
    listed = client.get(reverse("admin:episodes_message_changelist")).content.decode()
    assert "The very last words." in listed
    assert "Line 300" not in listed


def test_a_short_message_needs_no_click(selmar, sign_in):
    chat = open_chat(selmar.tenant)
    say(chat, "Good evening.")
    text = sign_in(selmar.reviewer).get(reverse("admin:player_conversation", args=[chat.pk])).content.decode()
    assert "Good evening." in text
    assert "Show all" not in text


def test_session_memory_offers_the_newest_sessions_of_ones_own_worlds(selmar, rival, sign_in):
    for world in (selmar, rival):
        open_conversation(
            tenant_id=world.tenant.pk,
            world_id=world.world.pk,
            user_id="player-1",
            session_id=f"{world.tenant.slug} & co/1",
        )
    page = sign_in(selmar.reviewer).get(reverse("admin:session_memory")).content.decode()
    assert f"?world={selmar.world.pk}&amp;session_id=selmar%20%26%20co%2F1" in page
    assert "rival%20%26%20co" not in page
