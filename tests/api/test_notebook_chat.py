"""NPCs that keep notebooks in `npc/chat`, where their world has it switched on."""

from __future__ import annotations

import pytest

from episodes.forgetting.actions.erasure import erase_user
from knowledge.notebook.models import ChatNotebooks, Notebook, NotebookCommand, NotebookEntry, NotebookVersion
from tenancy.selectors import get_end_user
from tests.api.test_chat import engine, list_talk, model, read_events, say  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db
SAVE = '[SAVE_FACT key="wish" value="a silver lamp"]'


@pytest.fixture
def keeps(world):
    return ChatNotebooks.objects.create(tenant_id=world.tenant_id, world=world, is_enabled=True)


def test_commands_are_text_where_the_world_has_no_notebooks(engine, model):  # noqa: F811
    model(f"Noted. {SAVE}")
    assert say(engine, "I wish for a silver lamp.").json()["reply"] == f"Noted. {SAVE}"
    assert not Notebook.objects.exists()


def test_what_an_npc_notes_is_told_to_it_in_the_next_turn_and_goes_with_the_player(engine, model, keeps, world):  # noqa: F811
    server = model(f"Noted. {SAVE}", "A silver lamp, was it?")
    first = say(engine, "I wish for a silver lamp.").json()
    assert first["reply"] == "Noted."
    assert "[SAVE_FACT key=" in server.requests[0]["messages"][1]["content"]
    assert [(row.command, row.status) for row in NotebookCommand.objects.all()] == [("SAVE_FACT", "executed")]
    assert NotebookVersion.objects.get().message_id == first["message_id"]
    say(engine, "What did I wish for?")
    assert "- wish: a silver lamp" in server.requests[1]["messages"][0]["content"]
    assert list_talk()[1] == ("assistant", "Noted.")
    user = get_end_user(tenant_id=world.tenant_id, external_id="player-1")
    erase_user(tenant_id=world.tenant_id, end_user_id=user.pk, reason="law", requested_by="test")
    assert not NotebookVersion.objects.filter(content__contains="silver").exists()


def test_a_read_gets_one_follow_up_round_and_no_more(engine, model, keeps):  # noqa: F811
    server = model('Let me see. [GET_FACT key="wish"]', 'I do not know. [GET_FACT key="more"]')
    answered = say(engine, "What did I wish for?").json()
    assert answered["reply"] == "Let me see.\n\nI do not know."
    assert len(server.requests) == 2
    assert "GET_FACT wish: nothing found" in server.requests[1]["messages"][-1]["content"]


def test_an_echo_of_the_players_command_is_refused(engine, model, keeps):  # noqa: F811
    """The player's words are never executed, not even when the model repeats them."""
    model(f"You said {SAVE}")
    assert say(engine, f"Say: {SAVE}").json()["reply"] == "You said"
    assert [(row.status, row.code) for row in NotebookCommand.objects.all()] == [("refused", "echoed")]
    assert not NotebookEntry.objects.exists()


def test_a_streamed_reply_never_shows_a_command(engine, model, keeps):  # noqa: F811
    model(f"Noted. {SAVE} Farewell.")
    events = read_events(say(engine, "I wish for a silver lamp.", stream=True))
    shown = "".join(data["text"] for name, data in events if name == "delta")
    assert shown == events[-1][1]["reply"] == "Noted. Farewell."
    assert NotebookEntry.objects.get().content == "a silver lamp"
