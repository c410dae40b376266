"""Additions to an allergy, from the post to what is known, rebuilt and corrected."""

import pytest

from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.models import UserFact
from knowledge.facts.selectors.facts import view_fact
from tests.factories.conversations import post_and_extract

NOTED = ("assistant", "Noted, no strawberries for you.")


@pytest.fixture(autouse=True)
def _patterns_alone(settings):
    settings.INSTANT_SEMANTIC = "off"


def list_known():
    views = map(view_fact, UserFact.objects.filter(is_active=True).order_by("pk"))
    return [(view.type, view.key, view.is_disputed) for view in views]


def test_what_is_added_is_told_as_a_fact_and_survives_a_rebuild(chat):
    post_and_extract(chat, "I'm allergic to strawberries", NOTED)
    [posted] = post_and_extract(chat, "and kiwi too")

    assert [(fact.type, fact.key, fact.outcome) for fact in posted.understood.facts] == [("allergy", "kiwi", "written")]
    assert posted.understood.corrections == ()
    assert list_known() == [("allergy", "strawberries", False), ("allergy", "kiwi", False)]
    report = rebuild_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id)
    assert report.differences.is_none


def test_one_batch_is_read_as_it_was_said(chat):
    post_and_extract(chat, "I'm allergic to strawberries", NOTED, "and to kiwi too")

    assert list_known() == [("allergy", "strawberries", False), ("allergy", "kiwi", False)]


def test_what_was_said_before_the_last_message_is_added_to_no_more(chat):
    post_and_extract(chat, "I'm allergic to strawberries", NOTED, "what's on the menu?", ("assistant", "Noted. Stew."))
    [posted] = post_and_extract(chat, "and kiwi too")

    assert posted.understood.facts == ()


def test_a_slip_is_replaced_and_what_was_meant_is_kept_to(chat):
    post_and_extract(chat, "I'm allergic to shrimp", ("assistant", "Noted, no shrimp."))
    post_and_extract(chat, "typo, not shrimp, crab")

    assert list_known() == [("allergy", "crab", False)]


def test_the_mistake_of_the_assistant_is_in_doubt_at_most(chat):
    post_and_extract(chat, "I'm allergic to shrimp", ("assistant", "Noted. Shrimp rolls, then?"))
    post_and_extract(chat, "wrong one, not shrimp, crab")

    assert ("allergy", "shrimp", True) in list_known()
