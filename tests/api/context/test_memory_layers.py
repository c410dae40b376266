"""`POST context`: the rules of memory, words that wait for extraction, and room for episodes."""

import pytest
from django.db import IntegrityError, transaction

from episodes.embedding.actions.embeddings import embed_messages
from runtime.config import load_budgets
from runtime.context import resolve
from runtime.context.core.pack import MEMORY_RULES
from tenancy.models import World
from tests.api.context.requests import BELL, add_fact, ask, layer
from tests.factories.campaigns import add_scene
from tests.factories.canon import make_article, publish
from tests.factories.conversations import open_chat, say

FACT = "- Allergy: nickel (reliable)"


@pytest.fixture
def consumer(tenant):
    """Waiting messages are worked off."""
    switch_on(tenant)


def switch_on(tenant):
    tenant.extraction = "on"
    tenant.save()


@pytest.fixture
def chat(player, tenant, world):
    return open_chat(tenant, "p1", world=world)


def remember(chat, *lines):
    """Lines of the player, with their vectors, behind which a talk went on."""
    say(chat, *(("user", line) for line in lines), *((("assistant", f"Rain, drop {n}.")) for n in range(12)))
    embed_messages(chat.pk)


def build_rule_items(pack):
    return [item["id"] for item in layer(pack, MEMORY_RULES)]


def test_rules_of_memory_are_told_with_facts_or_episodes_only(api, canon, player, chat):
    assert build_rule_items(ask(api)) == []
    say(chat, "It rains.", ("assistant", "It does."))
    assert build_rule_items(ask(api, user_id="p1")) == [], "talk alone needs no rules"
    remember(chat, "I was at the ferry bell at dusk.")
    assert build_rule_items(ask(api, user_id="p1")) == ["memory_rules:game"]
    add_fact(player, "allergy", "nickel")
    without = ask(api, user_id="p1", budget={"layers": {"episodes": {"max_items": 0}}})
    assert build_rule_items(without) == ["memory_rules:game"]


def test_rules_of_memory_are_not_told_when_no_memory_fits_beside_them(api, canon, player, chat):
    add_fact(player, "budget", "500 AED")
    closed = {"layers": {"facts": {"max_tokens": 0}, "episodes": {"max_items": 0}}}
    pack = ask(api, user_id="p1", budget=closed)
    assert build_rule_items(pack) == []
    reasons = {cut["layer"]: cut["reason"] for cut in pack["cut"]}
    assert (reasons["facts"], reasons[MEMORY_RULES]) == ("layer_full", "not_called_for")
    least = pack["tokens"] - next(each["tokens"] for each in pack["layers"] if each["name"] == "lore")
    small = ask(api, user_id="p1", budget={"total": least})
    assert build_rule_items(small) == layer(small, "facts") == []


def test_rules_of_memory_are_needed_beside_an_allergy(api, canon, player):
    add_fact(player, "allergy", "nickel")
    body = {"message": "Hello?", "user_id": "p1", "budget": {"total": 120}}
    refused = api.post("context", body).json()
    assert refused["code"] == "budget_too_small"
    pack = ask(api, "Hello?", user_id="p1", budget={"total": refused["needed"]})
    assert build_rule_items(pack) == ["memory_rules:game"]
    assert [item["rendered"] for item in layer(pack, "facts")] == [FACT]


def test_a_companion_is_told_so_in_its_own_words(api, canon, player, world):
    add_fact(player, "allergy", "nickel")
    World.objects.filter(pk=world.pk).update(kind="companion")
    pack = ask(api, user_id="p1")
    assert build_rule_items(pack) == ["memory_rules:companion"]
    assert "the user's language" in pack["messages"][0]["content"]


def test_a_world_is_a_game_or_a_companion(world):
    with pytest.raises(IntegrityError, match="world_kind_known"), transaction.atomic():
        World.objects.filter(pk=world.pk).update(kind="shop")


def test_the_whole_texts_are_told_where_the_file_says_so(api, canon, player, monkeypatch):
    add_fact(player, "allergy", "nickel")
    budgets = load_budgets()
    full = budgets.model_copy(update={"context": budgets.context.model_copy(update={"memory_rules": "full"})})
    monkeypatch.setattr(resolve, "load_budgets", lambda: full)
    pack = ask(api, user_id="p1")
    assert build_rule_items(pack) == ["memory_rules:arbitration", "memory_rules:naturalness"]
    assert "8. If a fact in User Knowledge is marked is_disputed" in pack["messages"][0]["content"]


def test_waiting_words_are_told_only_while_somebody_works_through_them(api, canon, chat, tenant):
    remember(chat, *(f"The ferry bell of {place} rang." for place in "abcdefghijkl"))
    closed = {"layers": {"episodes": {"max_items": 0}}}
    assert not layer(ask(api, user_id="p1", budget=closed), "pending")
    switch_on(tenant)
    assert layer(ask(api, user_id="p1", budget=closed), "pending")


def test_waiting_words_are_told_once_they_are_many_and_speak_to_the_turn(api, canon, chat, consumer):
    remember(chat, "I fear the ferry bell of Selmar at dusk.", *(f"Soup {n}." for n in range(9)))
    closed = {"layers": {"episodes": {"max_items": 0}}}
    assert not layer(ask(api, user_id="p1", budget=closed), "pending"), "ten are few"
    say(chat, "The ferry bell of Selmar woke me at dusk.")
    pack = ask(api, user_id="p1", budget=closed)
    assert [item["text"] for item in layer(pack, "pending")] == ["I fear the ferry bell of Selmar at dusk."], (
        "soup is off the question, what was said last stands in the talk"
    )


def test_waiting_words_without_a_vector_are_not_told(api, canon, chat, consumer):
    lines = [("user", f"The ferry bell of Selmar rang at dusk, {n}.") for n in range(14)]
    say(chat, *lines, *((("assistant", f"Rain, drop {n}.")) for n in range(12)))
    pack = ask(api, user_id="p1", budget={"layers": {"episodes": {"max_items": 0}}})
    assert not layer(pack, "pending")
    embed_messages(chat.pk)
    pack = ask(api, user_id="p1", budget={"layers": {"episodes": {"max_items": 0}}})
    assert layer(pack, "pending")


def test_waiting_words_hold_what_talk_and_episodes_do_not(api, canon, chat, consumer):
    remember(chat, *(f"The ferry bell of Selmar rang at dusk for {place}." for place in "abcdefghijkl"))
    pack = ask(api, user_id="p1")
    told = {name: {item["id"] for item in layer(pack, name)} for name in ("talk", "episodes", "pending")}
    assert len(told["episodes"]) == 3, "a new user's episodes are not given up for waiting words"
    assert told["pending"]
    assert not told["pending"] & (told["talk"] | told["episodes"])


def test_of_many_waiting_words_the_five_newest_are_told_that_stand_nowhere_else(api, canon, chat, consumer):
    remember(chat, *(f"The ferry bell of Selmar rang at dusk for {place}." for place in "abcdefghijklmnopqrstuvwx"))
    pack = ask(api, user_id="p1", budget={"layers": {"episodes": {"max_items": 0}}})
    assert [item["text"][-2] for item in layer(pack, "pending")] == list("tuvwx")


def test_a_user_of_62_messages_gets_six_episodes_beside_all_else(api, keeper, tenant, player):
    names = ["lantern", "gate", "toll", "rope", "quay", "boat", "lamp", "pier"]
    publish(
        keeper,
        make_article("ferry-bell", f"{BELL} " * 20),
        make_article("dusk", f"At dusk the bell rings. {BELL} " * 9),
        make_article("bell", f"The gate hears the ferry bell. {BELL} " * 9),
    )
    for n in range(3):
        add_scene(keeper, summary_id=f"sum_{n}_bell", minute=40 + n, flags={f"bell_{n}": "rung"})
    for type_, value in (("allergy", "nickel"), ("hard_ban", "spiders"), ("budget", "500 AED"), ("body_params", "M")):
        add_fact(player, type_, value)
    chat = open_chat(tenant, "p1", world=keeper, npc_id="npc_LiShen")
    lines = [
        f"By the {name} I heard the ferry bell ring at dusk, and it made me think of my {name} at home, "
        f"of the salt on its planks and of my father, who rang a bell like it when the fog came in. "
        f"He said that whoever hears it twice will come back to the {name}, and whoever hears it once will not."
        for name in names
    ]
    say(chat, *(("user", line) for line in lines))
    rest = [
        (("user", "assistant")[n % 2], f"Rain falls on the bridge, and the planks are wet, drop {n}.")
        for n in range(54)
    ]
    say(chat, *rest)
    embed_messages(chat.pk)
    pack = ask(
        api, "Who rings the ferry bell at dusk, by the gate?",
        user_id="p1", npc_id="npc_LiShen", party_id="pty_1", scene_id="scn_1", session_id="s1",
    )  # fmt: skip
    assert len(layer(pack, "episodes")) >= 6
    assert {"facts", "talk", "npc", "state", "summaries", "lore"} <= {each["name"] for each in pack["layers"]}
    assert pack["tokens"] <= 1800
