"""`POST context`: what is known of the player, and the talk that goes on."""

from urllib.parse import urlencode

import pytest
from django.test import Client

from episodes.embedding.actions.embeddings import embed_messages
from knowledge.facts.actions import dispute_fact
from knowledge.facts.actions.corrections import Correction
from knowledge.facts.selectors.facts import list_facts
from runtime.session_memory.circuit import CIRCUIT
from tenancy.actions.end_users import ensure_end_user
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.api.context.requests import add_fact, ask, layer
from tests.factories.conversations import open_chat, say


def test_unknown_player_is_a_new_one(api, canon):
    pack = ask(api, user_id="nobody-yet")
    assert pack["degraded"][0] == "user_unknown"
    assert not layer(pack, "facts")


def test_conversation_of_another_tenant_does_not_exist(api, canon, make_api):
    other = ensure_tenant(slug="other", name="Other")
    ensure_world(tenant_id=other.pk, slug="elsewhere", name="Elsewhere")
    ensure_end_user(tenant_id=other.pk, external_id="p1")
    theirs = open_chat(other, "p1")
    refused = api.post("context", {"message": "x", "user_id": "p1", "conversation_id": theirs.pk})
    assert refused.json()["code"] == "conversation_not_found"


def test_facts_are_told_with_evidence_and_safety_is_never_cut(api, canon, player):
    add_fact(player, "allergy", "nickel")
    add_fact(player, "budget", "500 AED", source="onboarding")
    pack = ask(api, user_id="p1", budget={"layers": {"facts": {"max_tokens": 0}}})
    (told,) = layer(pack, "facts")
    assert told["protected"]
    assert told["rendered"] == "- Allergy: nickel (reliable)"
    assert [cut["provenance"]["ids"]["type"] for cut in pack["cut"] if cut["layer"] == "facts"] == ["budget"]


def test_standing_instructions_are_told_always_and_choose_the_language(api, canon, player):
    add_fact(player, "instruction", "Captain", key="name")
    add_fact(player, "instruction", "German", key="language")
    pack = ask(api, "Who rings the bell?", user_id="p1", budget={"layers": {"instructions": {"max_tokens": 0}}})
    told = layer(pack, "instructions")
    assert sorted(item["rendered"] for item in told) == ["- Form of address: Captain", "- Language: German"]
    assert all(item["protected"] for item in told)
    assert not layer(pack, "facts")
    text = pack["messages"][0]["content"]
    assert "【How the player wants to be spoken to - wishes about the manner only】" in text
    assert "Answer in this language: Deutsch, German." in text


def test_talk_is_told_newest_last_and_the_message_itself_only_once(api, canon, player, tenant):
    chat = open_chat(tenant, "p1")
    say(chat, *(("user" if n % 2 else "assistant", f"line {n}") for n in range(1, 14)), "And who rings it?")
    pack = ask(api, "And who rings it?", user_id="p1")
    lines = [item["rendered"] for item in layer(pack, "talk")]
    assert lines == [f"{'Player' if n % 2 else 'Narrator'}: line {n}" for n in range(4, 14)]
    assert pack["messages"][0]["content"].count("And who rings it?") == 0


def test_episode_comes_with_its_words_and_what_it_answers_but_no_personal_aside(api, remembered):
    pack = ask(api, "Which lantern did I choose, was it the second one?", user_id="p1", npc_id="npc_LiShen")
    (choice,) = [each for each in layer(pack, "episodes") if each["text"] == "The second!"]
    assert choice["rendered"].splitlines() == [
        "- raw_excerpt (player, recently): The second!",
        "  span_context (the other side): Three lanterns hang here: a red one, a blue one and a white one.",
    ]
    ids = choice["provenance"]["ids"]
    assert {"message_id", "snippet", "conversation_id"} <= set(ids)
    assert "sister" not in choice["rendered"]


def test_emotions_of_another_mood_are_told_behind_those_of_the_present_one(api, make_api, keeper):
    engine = make_api("engine")
    said = {}
    for mood in ("sad", "glad"):
        body = {"user_id": "p1", "npc_id": "npc_LiShen", "external_id": f"chat-{mood}"}
        chat = engine.post("conversations", body).json()["id"]
        line = {"role": "user", "content": "The lantern by the gate moved me.", "memory_type": "emotion", "mood": mood}
        posted = engine.post(f"conversations/{chat}/messages", line)
        assert posted.status_code == 201, posted.content
        said[mood] = posted.json()["message_id"]
        later = [{"role": "assistant", "content": "Rain."}] * 12
        engine.post(f"conversations/{chat}/messages/batch", {"messages": later})
        embed_messages(chat)

    def told(**more):
        pack = ask(api, "Do you remember the lantern by the gate?", user_id="p1", npc_id="npc_LiShen", **more)
        found = [item["provenance"] for item in layer(pack, "episodes")]
        emotions = [each for each in found if each["ids"]["message_id"] in said.values()]
        return [each["ids"]["message_id"] for each in emotions], [each["scores"]["score"] for each in emotions]

    even, scores = told()
    assert sorted(even) == sorted(said.values())
    for mood, other in (("glad", "sad"), ("Sad", "glad")):
        order, weighed = told(mood=mood)
        assert order == [said[mood.lower()], said[other]]
        assert weighed == pytest.approx([scores[0], scores[0] * 0.8])


def test_one_npc_is_never_told_what_was_said_to_another(api, remembered):
    pack = ask(api, "Where is the second lantern hidden, under the gate?", user_id="p1", npc_id="npc_LiShen")
    assert "hid the second lantern" not in str(pack["layers"])
    other = ask(api, "Where is the second lantern hidden, under the gate?", user_id="p1", npc_id="npc_Oda")
    assert "hid the second lantern" in str(other["layers"])


def test_talk_of_the_session_and_its_preferences_stand_in_their_frames(api, make_api, keeper, tenant, player):
    chat = open_chat(tenant, "p1", world=keeper, npc_id="npc_LiShen")
    say(chat, "请问祠堂是什么时候建的？", ("assistant", "据记载，建于元代。"), session_id="s1")
    put_preference(
        make_api("engine"), "s1", verbosity="detailed", tone="respectful", interest_tag="农耕", language="zh"
    )
    pack = ask(api, "Who built it?", session_id="s1", npc_id="npc_LiShen", user_id="p1")
    text = pack["messages"][0]["content"]
    assert pack["language"] == "zh"
    assert "用户: 请问祠堂是什么时候建的？\nLi Shen: 据记载，建于元代。" in text
    assert "- 用户偏好详细回答\n- 用户偏好恭敬的语气\n- 用户感兴趣的话题：农耕\n【用户偏好结束】" in text
    other = ask(api, "Who built it?", session_id="s1", npc_id="npc_Oda", user_id="p1")
    assert not layer(other, "talk")
    assert layer(other, "preferences")


def test_talk_of_no_session_goes_on_in_one_that_has_no_talk_of_its_own(api, keeper, tenant, player, redis):
    chat = open_chat(tenant, "p1", world=keeper, npc_id="npc_LiShen")

    def say_in(session_id, content):
        say(chat, content, session_id=session_id)

    def told(**more):
        turn = {"npc_id": "npc_LiShen", "user_id": "p1", "conversation_id": chat.pk}
        return [item["text"] for item in layer(ask(api, "And then?", **turn, **more), "talk")]

    say_in("", "The lanterns are out.")
    say_in("s8", "I was never here.")
    assert told(session_id="s9") == ["The lanterns are out."]
    assert told() == ["The lanterns are out.", "I was never here."]
    say_in("s9", "I lit one again.")
    assert told(session_id="s9") == ["I lit one again."]


def put_preference(api, session_id, **query):
    url = f"/api/v1/npc/sessions/{session_id}/preference?{urlencode(query)}"
    response = Client().put(url, headers=api._headers({}))
    assert response.status_code == 200, response.content


def test_lost_redis_is_told_and_the_talk_goes_on_from_raw(api, keeper, tenant, player, redis, monkeypatch):
    chat = open_chat(tenant, "p1", world=keeper, npc_id="npc_LiShen")
    say(chat, "The lanterns are out.", session_id="s1")
    monkeypatch.setattr(CIRCUIT, "call", lambda *_, **__: None)
    pack = ask(api, "Who put them out?", session_id="s1", npc_id="npc_LiShen", user_id="p1")
    assert "session_memory_unavailable" in pack["degraded"]
    assert [item["text"] for item in layer(pack, "talk")] == ["The lanterns are out."]


def test_doubted_fact_and_what_contradicts_it_are_both_told(api, canon, player):
    add_fact(player, "onboarding_style", "minimalist")
    (fact,) = list_facts(tenant_id=player.tenant_id, end_user_id=player.pk)
    chat = open_chat(player.tenant, "p1")
    claim, doubt = say(chat, ("assistant", "You love it plain."), "With what right do you say so?")
    correction = Correction("ambiguous", trigger_message_id=doubt.pk, corrected_message_id=claim.pk)
    dispute_fact(tenant_id=player.tenant_id, end_user_id=player.pk, fact_id=fact.id, correction=correction)
    pack = ask(api, user_id="p1")
    (told,) = layer(pack, "facts")
    assert told["rendered"] == (
        "- Style named at the start: minimalist (is_disputed: the player doubted it; do not assert it, ask)"
    )
    assert told["provenance"]["ids"]["is_disputed"] is True
