"""Preferences inferred from talk: two exchanges, marked, forgotten with their messages, dropped by one call."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.models import Message
from knowledge.facts.actions import apply_fact
from knowledge.facts.core.drafts import FactDraft
from memoryproject.forgetting.registry import Forgotten
from runtime.context.pipeline import assemble_context
from runtime.context.request import ContextRequest
from runtime.session_memory.actions import drop_preference, forget_in_sessions
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.inference import infer_preferences
from runtime.session_memory.selectors import load_session, load_short_memory
from tenancy.actions.keys import issue_api_key
from tests.factories.conversations import open_chat, say
from tests.factories.tenants import make_world

BRIEF = [("user", "keep it short please"), ("assistant", "All right."), ("user", "that's too long, shorter please")]


def say_and_infer(world, *turns, session_id="s", user="player-1", **more):
    """Stores turns and infers preferences from them; the ids of the messages."""
    chat = open_chat(world.tenant, user, world=world, external_id=f"{user}-{session_id}", npc_id="mira")
    said = say(chat, *turns, npc_id="mira", session_id=session_id, **more)
    infer_preferences(said)
    return [each.pk for each in said]


def session(world, session_id="s"):
    return SessionRef(world.tenant_id, world.pk, session_id)


def preference(world, session_id="s"):
    return load_session(session(world, session_id)).preference


def forget(world, message_id):
    user = Message.objects.get(pk=message_id).conversation.end_user_id
    chosen = Selection("messages", message_ids=(message_id,))
    forget_messages(tenant_id=world.tenant_id, end_user_id=user, selection=chosen, requested_by="t")


def pack(world):
    ask = ContextRequest(
        tenant_id=world.tenant_id, world_id=world.pk, message="And now?", user_id="player-1", session_id="s"
    )
    return assemble_context(ask).pack


def told(world):
    items = [each.item for layer in pack(world).layers if layer.name == "preferences" for each in layer.items]
    return {item.id: item.provenance for item in items}


def test_one_remark_is_none_and_two_in_two_exchanges_are_a_preference(world):
    first, _, second = say_and_infer(world, *BRIEF[:1], ("assistant", "All right."), "And the gate?")
    assert preference(world) is None
    [third] = say_and_infer(world, "still too long, get to the point")
    known = preference(world)
    assert (known.verbosity, known.source) == ("brief", {"verbosity": "inferred"})
    assert known.evidence == {"verbosity": (first, third)}
    assert second not in known.evidence["verbosity"]


def test_two_remarks_of_one_exchange_are_not_enough(world):
    say_and_infer(world, "keep it short please", "shorter please")
    assert preference(world) is None


def test_a_request_about_the_story_is_none(world):
    say_and_infer(
        world, ("user", "tell me a short story"), ("assistant", "Once."), ("user", "make the story shorter please")
    )
    assert preference(world) is None


def test_what_a_character_says_in_play_is_none(world):
    say_and_infer(world, *BRIEF, frame="in_character")
    assert preference(world) is None


def test_without_a_signal_nothing_is_read_or_written(world, django_assert_num_queries):
    chat = open_chat(world.tenant, world=world)
    [stored] = say(chat, "Where is the bridge?", session_id="s")
    with django_assert_num_queries(0):
        infer_preferences([stored])


def test_sessions_worlds_and_tenants_keep_apart(world):
    say_and_infer(world, *BRIEF)
    assert preference(world, "other") is None
    assert preference(make_world("elsewhere", tenant="studio")) is None
    assert preference(make_world("ashfall", tenant="rival")) is None


def test_switched_off_nothing_is_noted_and_what_was_inferred_is_not_told(world, settings):
    say_and_infer(world, *BRIEF)
    settings.PREFERENCE_INFERENCE_ENABLED = False
    assert preference(world) is None
    say_and_infer(world, *BRIEF, session_id="later")
    settings.PREFERENCE_INFERENCE_ENABLED = True
    assert preference(world, "later") is None
    assert preference(world).verbosity == "brief"


def test_a_forgotten_message_takes_its_signal_away(world):
    first, *_ = say_and_infer(world, *BRIEF)
    assert preference(world).verbosity == "brief"
    forget(world, first)
    forgotten = Forgotten(world.tenant_id, 0, (first,), ())
    assert forget_in_sessions(forgotten) >= 1
    assert preference(world) is None
    assert forget_in_sessions(forgotten) == 0


def test_a_message_that_is_forgotten_before_it_is_heard_leaves_no_signal(world):
    [said] = say_and_infer(world, "keep it short please")
    message = Message.objects.get(pk=said)
    forget(world, said)
    infer_preferences([message])
    say_and_infer(world, ("assistant", "Well."), "shorter please")
    assert preference(world) is None


def test_the_pack_tells_it_with_its_evidence_in_no_more_statements(world):
    say_and_infer(world, "Good evening.")
    with CaptureQueriesContext(connection) as before:
        assert told(world) == {}
    first, _, second = say_and_infer(world, *BRIEF)
    with CaptureQueriesContext(connection) as after:
        known = told(world)
    assert known["preference:verbosity"].evidence == (first, second)
    assert known["preference:verbosity"].ids["inferred"] is True
    assert len(after) == len(before)


def test_a_standing_instruction_outranks_what_is_inferred_and_not_what_is_set(world):
    ids = say_and_infer(
        world, ("user", "tell me in more detail please"), ("assistant", "Well."), ("user", "more details please")
    )
    assert "preference:verbosity" in told(world)
    apply_fact(
        tenant_id=world.tenant_id,
        end_user_id=Message.objects.get(pk=ids[0]).conversation.end_user_id,
        draft=FactDraft(type="instruction", key="length", value="short answers", source="onboarding"),
    )
    assert told(world) == {}
    key = issue_api_key(tenant_id=world.tenant_id, name="game", scopes=("engine",)).text
    put = Client().put(
        "/api/v1/npc/sessions/s/preference?verbosity=detailed", headers={"Authorization": f"Bearer {key}"}
    )
    assert put.json()["preference"]["source"] == {"verbosity": "explicit"}
    assert "preference:verbosity" in told(world)


def test_one_delete_drops_it_and_the_same_words_do_not_bring_it_back(world):
    ids = say_and_infer(world, *BRIEF)
    key = issue_api_key(tenant_id=world.tenant_id, name="game", scopes=("engine", "read")).text
    headers = {"Authorization": f"Bearer {key}"}
    got = Client().get("/api/v1/npc/sessions/s", headers=headers).json()["preference"]
    assert (got["source"], got["evidence"]) == ({"verbosity": "inferred"}, {"verbosity": [ids[0], ids[2]]})
    dropped = Client().delete("/api/v1/npc/sessions/s/preference?field=verbosity", headers=headers).json()
    assert (dropped["dropped"], dropped["field"], dropped["preference"]["verbosity"]) == (True, "verbosity", None)
    infer_preferences(list(Message.objects.filter(pk__in=ids).order_by("pk")))
    assert preference(world) is None
    again = Client().delete("/api/v1/npc/sessions/s/preference?field=verbosity", headers=headers).json()
    assert (again["success"], again["dropped"]) == (True, False)
    say_and_infer(world, ("assistant", "Well."), *BRIEF)
    assert preference(world).verbosity == "brief"


@pytest.mark.parametrize("query", ["", "?field=mood", "?field=verbosity&tag=x", "?other=1"])
def test_a_bad_drop_is_refused(world, query):
    key = issue_api_key(tenant_id=world.tenant_id, name="game", scopes=("engine",)).text
    answer = Client().delete(f"/api/v1/npc/sessions/s/preference{query}", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 400


def test_one_topic_can_be_dropped_and_one_that_was_set_as_well(world):
    say_and_infer(
        world, ("user", "I love hearing about dragons"), ("assistant", "Well."), ("user", "tell me more about dragons")
    )
    say_and_infer(
        world, ("user", "I'm really into ships"), ("assistant", "Well."), ("user", "tell me more about ships")
    )
    assert set(preference(world).interest_tags) == {"dragons", "ships"}
    is_known, left = drop_preference(session(world), "interest_tags", tag="dragons")
    assert (is_known, left.interest_tags) == (True, ("ships",))
    key = issue_api_key(tenant_id=world.tenant_id, name="game", scopes=("engine",)).text
    headers = {"Authorization": f"Bearer {key}"}
    Client().put("/api/v1/npc/sessions/s/preference?interest_tags=bridges&interest_tags=tolls", headers=headers)
    is_known, left = drop_preference(session(world), "interest_tags", tag="tolls")
    assert (is_known, left.interest_tags, left.source["interest_tags"]) == (True, ("bridges",), "explicit")


def test_clearing_the_session_takes_the_signals_too(world, settings):
    from runtime.session_memory.actions import clear_session

    say_and_infer(world, *BRIEF)
    clear_session(session(world))
    assert load_short_memory(session(world), "mira").preference is None
