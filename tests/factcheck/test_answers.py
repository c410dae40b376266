"""A bare answer is a fact with the question as evidence, and sums of other money or for other things stand beside."""

from __future__ import annotations

import pytest

from knowledge.facts.selectors import list_facts
from tests.factories.conversations import post


def known(chat):
    return {
        (fact.type, fact.key, fact.value) for fact in list_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id)
    }


@pytest.mark.parametrize("at_once", [True, False])
def test_bare_answer_rests_on_the_question_and_itself(chat, at_once):
    turns = [("assistant", "Do you have any food allergies?"), ("user", "peanuts n shellfish")]
    posted = post(chat, *turns) if at_once else [*post(chat, turns[0]), *post(chat, turns[1])]
    assert known(chat) == {("allergy", "peanuts", "peanuts"), ("allergy", "shellfish", "shellfish")}
    for fact in list_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id):
        assert {each.pk for each in posted} <= set(fact.evidence)


def test_what_follows_no_question_is_no_answer(chat):
    post(chat, ("assistant", "Do you have any food allergies?"), "wait a second", "peanuts")
    post(chat, ("assistant", "Peanuts grow in this valley."), "peanuts")
    assert known(chat) == set()


@pytest.mark.parametrize(
    ("claim", "answer", "keys"),
    [
        ("You are allergic to nuts, right?", "I'm not allergic to nuts.", set()),
        ("You are allergic to nuts, right?", "nuts don't bother me", set()),
        ("You are allergic to nuts, right?", "Yes, I am allergic to nuts.", {"nuts"}),
        ("What are you allergic to?", "Milk. I'm not allergic to nuts.", {"milk"}),
        ("У тебя аллергия на орехи, да?", "У меня нет аллергии на орехи.", set()),
        ("У тебя аллергия на орехи, да?", "Да, на орехи.", {"nuts"}),
        ("عندك حساسية من المكسرات، صح؟", "ما عندي حساسية من المكسرات", set()),
        ("你对坚果过敏，对吧？", "我对坚果不过敏。", set()),
    ],
)
def test_an_answer_that_denies_a_thing_does_not_state_it(chat, claim, answer, keys):
    post(chat, ("assistant", claim), ("user", answer))
    assert {key for type_, key, _ in known(chat) if type_ == "allergy"} == keys


def test_budgets_in_other_money_or_for_other_things_do_not_overwrite_each_other(chat):
    for text in (
        "my budget is 500 aed",
        "my budget is 200 usd",
        "my budget for shoes is 300 aed",
        "my budget is 250 usd",
        "my budget is 600 aed",
    ):
        post(chat, ("user", text))
    assert known(chat) == {
        ("budget", "general", "600 AED"),
        ("budget", "general_usd", "250 USD"),
        ("budget", "shoes", "300 AED"),
    }


@pytest.mark.parametrize(
    ("question", "answer", "facts"),
    [
        ("What size do you take?", "42", {("body_params", "size", "42")}),
        ("What size do you take?", "it's fine, whatever's there", set()),
        ("What size do you take?", "I'll take whatever", set()),
        ("Which size is it: 'S', 'M' or 'XL'?", "the last one", {("body_params", "size", "XL")}),
        ("How tall are you?", "1m63", {("body_params", "height_cm", "163")}),
        ("How much do you weigh?", "1 m 63", set()),
        ("How much do you weigh?", "ask Stein", set()),
    ],
)
def test_what_an_apostrophe_or_a_unit_joins_is_no_size(chat, question, answer, facts):
    post(chat, ("assistant", question), answer)
    assert known(chat) == facts
