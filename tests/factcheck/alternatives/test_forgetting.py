"""What forgotten words had replaced, denied or disputed comes back; what they alone gave a meaning goes."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes.facts.actions import remove_fact, write_fact
from episodes.forgetting.actions.forgetting import forget_message, forget_messages
from episodes.forgetting.core.selections import Selection
from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.actions import Correction, deactivate_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import FactTombstone, UserFact
from tests.factcheck.alternatives.talks import edit
from tests.factories.conversations import post
from tests.factories.facts import get_known, owner_filter

pytestmark = pytest.mark.django_db
SIZE, NUTS = ("body_params", "size"), ("allergy", "nuts")


@pytest.fixture
def chat(conversation):
    return conversation


def forget(message):
    return forget_message(tenant_id=message.tenant_id, message_id=message.pk, requested_by="test")


def check_rebuild(chat):
    assert rebuild_facts(**owner_filter(chat), dry_run=True).differences.is_none


def test_what_forgotten_words_had_replaced_comes_back_and_the_receipt_names_it(chat):
    post(chat, "My size is M.")
    [large] = post(chat, "My size is L.")
    receipt = forget(large)
    assert get_known(chat) == {SIZE: "M"}
    fact = UserFact.objects.get(is_active=True)
    assert receipt.changes == {"restored": [fact.pk]}
    check_rebuild(chat)


def test_a_forgotten_denial_brings_back_what_it_ended(chat):
    post(chat, "I'm allergic to nuts.")
    [denial] = post(chat, "I'm not allergic to nuts.")
    assert get_known(chat) == {}
    receipt = forget(denial)
    assert (get_known(chat), len(receipt.changes["restored"])) == ({NUTS: "nuts"}, 1)
    check_rebuild(chat)


@pytest.mark.parametrize("index", [1, 2])
def test_a_doubt_goes_with_its_words_or_with_the_claim_that_it_was_about(chat, index):
    said = post(chat, "My size is M.", ("assistant", "You wear size M."), "No.")
    assert UserFact.objects.get(is_active=True).is_disputed
    receipt = forget(said[index])
    fact = UserFact.objects.get(is_active=True)
    assert (fact.is_disputed, receipt.changes) == (False, {"settled": [fact.pk]})
    check_rebuild(chat)


def test_a_bare_answer_goes_with_its_question_and_takes_its_words_along(chat):
    asked, _ = post(chat, ("assistant", "What is your size?"), "M")
    assert get_known(chat) == {SIZE: "M"}
    receipt = forget(asked)
    assert get_known(chat) == {}
    assert receipt.changes == {"ended": [UserFact.objects.get().pk]}
    assert bytes(UserFact.objects.get().value_sealed) == b""
    check_rebuild(chat)


def test_an_allergy_that_was_answered_outlives_its_question(chat):
    asked, answer = post(chat, ("assistant", "Are you allergic to nuts?"), "Yes.")
    forget(asked)
    assert get_known(chat) == {NUTS: "nuts"}
    check_rebuild(chat)
    forget(answer)
    assert get_known(chat) == {}


def test_who_answered_a_forgotten_line_answers_no_earlier_one(chat):
    post(chat, "I'm allergic to nuts.", ("assistant", "You are allergic to nuts, right?"))
    line, _ = post(chat, ("assistant", "The inn is warm."), "No.")
    forget(line)
    fact = UserFact.objects.get(is_active=True)
    assert (get_known(chat), fact.is_disputed) == ({NUTS: "nuts"}, False)


@pytest.mark.parametrize("way", ["ended", "deleted"])
def test_what_a_person_ended_stays_ended(chat, way):
    post(chat, "My size is M.")
    [large] = post(chat, "My size is L.")
    pk = UserFact.objects.get(is_active=True).pk
    if way == "ended":
        correction = Correction("support", reason="They called.", made_by="ada")
        deactivate_fact(**owner_filter(chat), fact_id=pk, correction=correction)
    else:
        remove_fact(**owner_filter(chat), fact_id=pk)
    [small] = post(chat, "My size is S.")
    forget(large)
    assert get_known(chat) == {SIZE: "S"}
    receipt = forget(small)
    assert (get_known(chat), receipt.changes) == ({}, {})
    check_rebuild(chat)


def test_nothing_forgotten_comes_back_with_what_is_forgotten_later(chat):
    small, medium, large = post(chat, "My size is S.", "My size is M.", "My size is L.")
    forget(medium)
    forget(large)
    assert get_known(chat) == {SIZE: "S"}
    forget(small)
    assert get_known(chat) == {}
    assert FactTombstone.objects.get().deleted_to is None
    check_rebuild(chat)


def test_words_told_late_of_a_time_before_do_not_count_once_all_is_forgotten(chat):
    [small] = post(chat, "My size is S.")
    [denial] = post(chat, "My size is not S.")
    [large] = post(chat, "My size is L.")
    forget(large)
    old = timezone.now() - dt.timedelta(days=900)
    post(chat, "My size is M.", sent_at=old)
    assert get_known(chat) == {}
    check_rebuild(chat)
    forget(denial)
    assert get_known(chat) == {SIZE: "S"}
    check_rebuild(chat)
    edit(small, "Good evening.")
    assert SIZE not in get_known(chat)


def test_an_edit_of_an_old_place_is_news_whatever_was_forgotten_since(chat):
    evening, large = post(chat, "What a lovely evening.", "My size is L.")
    forget(large)
    edit(evening, "My size is S.")
    assert get_known(chat) == {SIZE: "S"}
    check_rebuild(chat)


def test_what_the_engine_stated_comes_back_from_under_words(chat):
    write_fact(
        tenant_id=chat.tenant_id,
        user_id="player-1",
        draft=FactDraft(type="allergy", key="nuts", value="nuts", source="onboarding", confidence=1.0),
    )
    [denial] = post(chat, "I'm not allergic to nuts.")
    assert get_known(chat) == {}
    forget(denial)
    assert get_known(chat) == {NUTS: "nuts"}
    check_rebuild(chat)


def test_a_message_that_no_fact_rests_on_is_not_replayed(chat, monkeypatch):
    post(chat, "I'm allergic to nuts.")
    [message] = post(chat, "What a lovely evening.")
    monkeypatch.setattr("factcheck.alternatives.forgetting.reevaluate_facts", None)
    assert forget(message).changes == {}


def test_all_that_a_player_said_is_forgotten_without_a_replay(chat, monkeypatch):
    post(chat, "I'm allergic to nuts.")
    monkeypatch.setattr("factcheck.alternatives.forgetting.reevaluate_facts", None)
    receipt = forget_messages(**owner_filter(chat), selection=Selection("all"), requested_by="test")
    assert (get_known(chat), receipt.changes) == ({}, {})
