"""The page of prompts: what is shown of a pack, to whom, and that nothing is written."""

from __future__ import annotations

import html

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from knowledge.search.zero_hits import list_zero_hits
from runtime.config import load_prompts
from runtime.context.request import ContextRequest
from runtime.traces.actions.packs import make_context
from tests.admin.test_npc_pages import LI, PERSONA, write
from tests.factories.campaigns import add_scene, start
from tests.factories.canon import article
from tests.factories.conversations import open_chat, say

pytestmark = pytest.mark.django_db
SAID = "Where is the bronze bell?"


@pytest.fixture
def chat(selmar):
    selmar.publish(article("bell", "The bronze bell hangs in the tower."))
    write(selmar.world)
    chat = open_chat(selmar.tenant, world=selmar.world, npc_id=LI)
    say(chat, SAID)
    return chat


def ask(client, world, **more):
    return client.post(reverse("admin:prompts"), {"world": world.pk, "message": SAID, **more})


def test_a_turn_shows_its_layers_their_sources_and_the_messages(selmar, chat, sign_in):
    with CaptureQueriesContext(connection) as queries:
        shown = ask(sign_in(selmar.editor), selmar.world, npc_id=LI)
    page = shown.content.decode()
    pack = shown.context["context"].pack
    assert {"system", "lore", "npc", "user"} <= {layer.name for layer in pack.layers}
    assert "The bronze bell hangs in the tower." in page
    assert "slug bell" in page
    assert PERSONA in page
    assert pack.prompt_source in page
    assert "What the model reads" in page
    written = [each["sql"] for each in queries if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert [sql for sql in written if "django_session" not in sql and "auth_user" not in sql] == []


def test_what_a_preview_does_not_find_is_not_counted_as_missed(selmar, chat, sign_in, redis):
    shown = ask(sign_in(selmar.editor), selmar.world, message="zyzzyva qwrtpl")
    assert "lore_empty" in shown.context["context"].degraded
    assert list_zero_hits(selmar.index.pk) == []


def test_what_is_cut_says_why(selmar, chat, sign_in):
    shown = ask(sign_in(selmar.editor), selmar.world, npc_id=LI)
    roomy = shown.context["context"].pack
    tight = ask(sign_in(selmar.editor), selmar.world, npc_id=LI, total=roomy.tokens - 5)
    assert "the whole budget is used up" in tight.content.decode()
    refused = ask(sign_in(selmar.editor), selmar.world, total=5)
    assert "the budget has 5" in refused.content.decode()


def test_a_real_conversation_fills_the_form_for_those_who_see_players(selmar, rival, chat, sign_in):
    url = f"{reverse('admin:prompts')}?conversation={chat.pk}"
    page = sign_in(selmar.reviewer).get(url).content.decode()
    assert SAID in page
    assert "player-1" in page
    for stranger in (selmar.editor, rival.owner):
        client = sign_in(stranger)
        assert client.get(url).status_code == 404
        assert "player-1" not in client.get(reverse("admin:prompts")).content.decode()
    for of_a_player in ({"user_id": "player-1"}, {"session_id": "s-1"}, {"conversation_id": chat.pk}):
        told = ask(sign_in(selmar.editor), selmar.world, **of_a_player)
        assert told.context["context"] is None
        assert "reviewers and owners" in told.content.decode()
    assert ask(sign_in(selmar.reviewer), selmar.world, user_id="player-1").context["context"] is not None


def test_a_real_conversation_begins_where_its_newest_traced_turn_was(selmar, rival, chat, sign_in):
    start(selmar.world)
    add_scene(selmar.world)
    turn = {"user_id": "player-1", "npc_id": LI, "message": SAID}
    place = {"party_id": "pty_1", "scene_id": "scn_1", "location_id": "bell"}
    within = {"tenant_id": selmar.tenant.pk, "world_id": selmar.world.pk}
    make_context(ContextRequest(**within, **turn, **place))
    make_context(ContextRequest(**within, **{**turn, "user_id": "player-2"}))
    client = sign_in(selmar.reviewer)
    form = client.get(reverse("admin:prompts"), {"conversation": chat.pk}).context["form"]
    assert place.items() <= form.initial.items()
    told = client.post(reverse("admin:prompts"), {name: value for name, value in form.initial.items() if value})
    assert "The keeper lent the moon key" in str(told.context["context"].pack.messages)


def test_templates_are_shown_whole_in_every_language(selmar, sign_in):
    page = html.unescape(sign_in(selmar.editor).get(reverse("admin:prompts")).content.decode())
    for prompts in load_prompts().values():
        for name, frame in prompts.layers.items():
            lines = [frame.open, frame.close, *frame.items.values(), *frame.parts.values()]
            assert name == "user" or not [line for line in lines if line not in page]
        assert not [word for word in prompts.words.values() if word not in page]


def test_other_tenants_worlds_and_bad_turns_are_refused_in_place(selmar, rival, chat, sign_in):
    assert ask(sign_in(rival.owner), selmar.world).context["form"].errors["world"]
    client = sign_in(selmar.owner)
    for bad in ({"npc_id": "nobody"}, {"party_id": "none"}, {"message": ""}, {"message": "a\x00"}, {"total": "x"}):
        told = ask(client, selmar.world, **bad)
        assert (told.status_code, told.context["context"]) == (200, None)
        assert told.context["form"].errors
    assert client.get(reverse("admin:prompts"), {"conversation": "9" * 30}).status_code == 200
    languages = [each.language for each in client.get(reverse("admin:prompts")).context["prompts"]]
    assert sorted(languages) == ["ar", "en", "es", "ru", "uk", "zh"]
