"""A denial counts for what it denies, though a history that says it is imported behind the denial."""

from __future__ import annotations

import datetime as dt

import pytest

from episodes.forgetting.actions.forgetting import forget_message
from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.models import MemoryCorrection
from knowledge.facts.selectors import list_facts
from tests.factories.conversations import post, post_and_extract

YEAR = dt.timedelta(days=365)
QUERIES_OF_AN_IMPORT = 9
DENIAL = "No, I'm not allergic to nickel"


def known(chat):
    facts = list_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id)
    return {(fact.key, fact.value, fact.is_disputed) for fact in facts}


def outcomes():
    return list(MemoryCorrection.objects.order_by("pk").values_list("outcome", flat=True))


def test_what_was_denied_before_its_history_came_is_not_known(chat):
    [denial] = post(chat, DENIAL)
    [imported] = post_and_extract(chat, "I am allergic to nickel.", ago=YEAR)
    assert known(chat) == set()
    (correction,) = imported.understood.corrections
    assert (correction.outcome, correction.fact_id) == ("deactivated", imported.understood.facts[0].fact_id)
    assert MemoryCorrection.objects.get(outcome="deactivated").trigger_message_id == denial.pk


def test_denial_that_is_older_than_the_history_changes_nothing(chat):
    post(chat, DENIAL, ago=2 * YEAR)
    post(chat, "I am allergic to nickel.", ago=YEAR)
    assert known(chat) == {("nickel", "nickel", False)}
    assert outcomes() == []


def test_doubt_about_a_claim_disputes_what_is_imported_later(chat):
    post(chat, "You are allergic to nickel, so no steel.", role="assistant")
    post(chat, "where did you get that?")
    post(chat, "I am allergic to nickel.", ago=YEAR)
    assert known(chat) == {("nickel", "nickel", True)}


def test_correction_is_logged_once_however_much_is_imported(chat):
    post(chat, "Fine weather.", role="assistant")
    post(chat, DENIAL)
    post(chat, "where did you get that?")
    post(chat, "I am allergic to wool.", ago=YEAR)
    assert outcomes() == ["unmatched"]
    post(chat, "I am allergic to nickel.", ago=YEAR)
    post(chat, "I am allergic to nickel.", ago=2 * YEAR)
    assert outcomes() == ["unmatched", "deactivated"]
    assert known(chat) == {("wool", "wool", False)}


def test_forgotten_denial_is_not_heard_again(chat):
    [denial] = post(chat, DENIAL)
    forget_message(tenant_id=chat.tenant_id, message_id=denial.pk, requested_by="test")
    post(chat, "I am allergic to nickel.", ago=YEAR)
    assert known(chat) == {("nickel", "nickel", False)}


def test_rebuild_finds_nothing_to_change(chat):
    post(chat, DENIAL)
    post(chat, "I am allergic to nickel.", ago=YEAR)
    assert rebuild_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id).differences.is_none


@pytest.mark.parametrize("later", [1, 12])
def test_an_import_asks_the_same_however_much_was_said_since(chat, later, django_assert_num_queries):
    for _ in range(later):
        post(chat, "I like long walks.")
    with django_assert_num_queries(QUERIES_OF_AN_IMPORT):
        post(chat, "I am allergic to wool.", ago=YEAR)


def test_older_words_do_not_settle_a_doubt(chat):
    post(chat, "I am allergic to nickel.", ago=YEAR)
    post(chat, "You are allergic to nickel, so no steel.", role="assistant")
    post(chat, "where did you get that?")
    post(chat, "I am allergic to nickel.", ago=YEAR / 2)
    assert known(chat) == {("nickel", "nickel", True)}
    post(chat, "I am allergic to nickel.")
    assert known(chat) == {("nickel", "nickel", False)}
