"""Packs are cut to their budget by whole items; the limit holds for what is rendered."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.budgets import find_faults, make_case
from knowledge.text.tokens import count_tokens
from runtime.config import load_budgets, load_prompts
from runtime.context.core.budgets import LayerOverride
from runtime.context.core.pack import Item, Layer, Provenance
from runtime.context.fit import fit_pack
from runtime.errors import BudgetTooSmall

HERE = Provenance("test")
WORDS = "the lanterns along the quay are lit when the ferry comes in "


def items(layer, count, *, words=10, template="item", **values):
    return tuple(
        Item(f"{layer}:{number}", f"{number} {WORDS * words}", HERE, template=template, **values)
        for number in range(count)
    )


def user(text="Who rings the bell?"):
    return Layer("user", (Item("user:0", text, HERE, is_protected=True),))


def english():
    return load_prompts()["en"]


def shipped():
    return load_budgets().to_budget()


def told(pack, layer):
    return [each.item.id for packed in pack.layers if packed.name == layer for each in packed.items]


@given(seed=st.integers(0, 2**31))
@settings(max_examples=60, deadline=None)
def test_no_world_exceeds_its_budget_or_loses_what_is_protected(seed):
    assert find_faults(make_case(seed))[0] == []


@given(seed=st.integers(0, 2**31), factor=st.floats(0.1, 3))
@settings(max_examples=25, deadline=None)
def test_limit_holds_for_a_count_that_parts_do_not_add_up_to(seed, factor):
    case = make_case(seed)

    def count(text):
        return int(len(text) ** 1.1 * factor)

    try:
        pack = fit_pack(case.layers, case.budget, case.prompts, count=count)
    except BudgetTooSmall:
        return
    assert sum(count(m.content) + case.budget.message_overhead for m in pack.messages) == pack.tokens
    assert pack.tokens <= case.budget.total


def test_items_are_left_out_whole_with_their_reason():
    budget = shipped().override(total=None, layers={"lore": LayerOverride(max_tokens=300)})
    pack = fit_pack(
        [Layer("lore", items("lore", 5, template="passage", values={"title": "Quay"})), user()], budget, english()
    )
    assert told(pack, "lore") == ["lore:0", "lore:1"]
    assert [(cut.item.id, cut.reason) for cut in pack.cut] == [(f"lore:{n}", "layer_full") for n in (2, 3, 4)]
    assert all(cut.tokens > 100 for cut in pack.cut)


def test_too_many_items_are_told_from_the_first():
    budget = shipped().override(total=None, layers={"facts": LayerOverride(max_items=2)})
    facts = items("facts", 4, words=0, template="fact", terms={"type": "fact_budget"})
    pack = fit_pack([Layer("facts", facts), user()], budget, english())
    assert told(pack, "facts") == ["facts:0", "facts:1"]
    assert {cut.reason for cut in pack.cut} == {"too_many_items"}


def test_smaller_item_takes_the_place_of_one_that_does_not_fit():
    big, small = items("lore", 2, template="passage", values={"title": "Quay"})
    layer = Layer("lore", (replace(big, text=WORDS * 100), replace(small, text="short")))
    assert told(fit_pack([layer, user()], shipped(), english()), "lore") == ["lore:1"]


def test_talk_has_no_gap_and_keeps_its_newest_messages():
    talk = [
        replace(item, priority=number, text=WORDS * (20 if number == 5 else 1))
        for number, item in enumerate(items("talk", 10, template="user"))
    ]
    pack = fit_pack(
        [Layer("talk", tuple(talk)), user()],
        shipped().override(total=None, layers={"talk": LayerOverride(max_tokens=200)}),
        english(),
    )
    assert told(pack, "talk") == ["talk:6", "talk:7", "talk:8", "talk:9"]
    reasons = {cut.item.id: cut.reason for cut in pack.cut}
    assert reasons["talk:5"] == "layer_full"
    assert {reasons[f"talk:{n}"] for n in range(5)} == {"older_than_cut"}


def test_minimum_is_kept_for_a_layer_of_low_priority():
    lore = Layer("lore", items("lore", 3, words=3, template="passage", values={"title": "Quay"}))
    episodes = Layer("episodes", items("episodes", 1, words=3, template="episode", terms={"speaker": "speaker_user"}))
    total = fit_pack([lore, user()], shipped(), english()).tokens + 20
    small = shipped().override(total=total, layers={"lore": LayerOverride(min_tokens=0)})
    without = small.override(total=None, layers={"episodes": LayerOverride(min_tokens=0)})
    assert told(fit_pack([lore, episodes, user()], small, english()), "episodes")
    assert not told(fit_pack([lore, episodes, user()], without, english()), "episodes")


def test_budget_too_small_for_safety_says_how_much_is_needed():
    allergy = Item("fact:1", "nickel", HERE, template="fact", terms={"type": "fact_allergy"}, is_protected=True)
    layers = [Layer("facts", (allergy,)), user(WORDS * 30)]
    with pytest.raises(BudgetTooSmall) as caught:
        fit_pack(layers, shipped().override(total=100, layers={}), english())
    needed = caught.value.extra["needed"]
    assert f"{needed} tokens" in caught.value.detail
    pack = fit_pack(layers, shipped().override(total=needed, layers={}), english())
    assert pack.tokens == needed
    with pytest.raises(BudgetTooSmall):
        fit_pack(layers, shipped().override(total=needed - 1, layers={}), english())


def test_protected_items_stay_when_their_layer_has_no_room():
    allergy = Item("fact:1", "nickel", HERE, template="fact", terms={"type": "fact_allergy"}, is_protected=True)
    budget = shipped().override(total=None, layers={"facts": LayerOverride(max_tokens=0, max_items=0)})
    pack = fit_pack(
        [Layer("facts", (*items("facts", 1, template="fact", terms={"type": "fact_budget"}), allergy)), user()],
        budget,
        english(),
    )
    assert told(pack, "facts") == ["fact:1"]


def test_message_of_the_talk_is_not_told_again_as_an_episode():
    message = Item("message:7", "I like the quay", HERE, template="user")
    episode = replace(message, template="episode", terms={"speaker": "speaker_user"})
    pack = fit_pack([Layer("episodes", (episode,)), Layer("talk", (message,)), user()], shipped(), english())
    assert told(pack, "talk") == ["message:7"]
    assert [(cut.layer, cut.reason) for cut in pack.cut] == [("episodes", "repeated")]


def test_tokens_of_layers_and_of_the_whole_are_those_of_the_rendered_text():
    pack = fit_pack(
        [Layer("lore", items("lore", 2, template="passage", values={"title": "Quay"})), user()], shipped(), english()
    )
    system, words = pack.messages
    assert pack.tokens == count_tokens(system.content) + count_tokens(words.content) + 8
    assert pack.tokens_by_layer["lore"] == count_tokens(system.content)


def test_density_cap_takes_the_smaller_of_both_limits():
    capped = shipped().cap("episodes", max_items=3, share=0.30)
    assert (capped.layers["episodes"].max_items, capped.layers["episodes"].max_tokens) == (3, 540)
    assert capped.layers["lore"] == shipped().layers["lore"]


def test_message_that_the_talk_has_no_room_for_may_be_told_as_an_episode():
    message = Item("message:7", "I like the quay", HERE, template="user")
    episode = replace(message, template="episode", terms={"speaker": "speaker_user"})
    budget = shipped().override(total=None, layers={"talk": LayerOverride(max_tokens=0)})
    pack = fit_pack([Layer("episodes", (episode,)), Layer("talk", (message,)), user()], budget, english())
    assert told(pack, "episodes") == ["message:7"]
    assert [(cut.layer, cut.reason) for cut in pack.cut] == [("talk", "layer_full")]
