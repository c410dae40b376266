"""What rested on words that are read no more: proposals, candidates, samples, facts of other origin."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from episodes.condensing.actions.snippets import claim_snippet, keep_snippet
from episodes.facts.actions import write_fact
from episodes.models import MessageSnippet, TalkSummary
from factcheck.extraction.actions.run_answers import answer_run
from factcheck.extraction.actions.run_applies import apply_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.errors import NothingPending
from factcheck.extraction.models import ExtractionRun, FactCandidate, RunState
from factcheck.extraction.rules import get_run_rules
from factcheck.extraction.selectors.due import list_due_users
from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.actions import Correction, apply_fact, dispute_fact, restore_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import MemoryCorrection, UserFact
from tests.factcheck.alternatives.talks import edit, select, swipe
from tests.factcheck.extraction.proposers import FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import post, say
from tests.factories.facts import get_known, owner_filter

ALLERGY = "I am allergic to hazelnuts"


@pytest.fixture
def chat(tenant, conversation):
    tenant.extraction = "on"
    tenant.save()
    return conversation


def test_a_fact_of_the_second_stage_ends_and_new_words_are_read_once(chat):
    stated, _, last = say(chat, ALLERGY, "Well then.", "Good night.")
    extract(chat, FixedProposer([make_delta("hazelnuts", (1, ALLERGY))]))
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}
    done = edit(stated, "I had a lovely supper")
    assert (get_known(chat), len(done.facts.ended)) == ({}, 1)
    chat.refresh_from_db()
    assert (chat.extracted_to, chat.pending_extraction_count) == (3, 1)
    proposer = FixedProposer()
    run = extract(chat, proposer)
    assert [each.content for each in proposer.asked[0].messages if each.is_new] == ["I had a lovely supper"]
    assert [row.message_id for row in run.message_rows.all()] == [done.message.pk]
    chat.refresh_from_db()
    assert (chat.extracted_to, chat.pending_extraction_count) == (3, 0)
    with pytest.raises(NothingPending):
        extract(chat, proposer)
    select(stated)
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}
    proposer = FixedProposer()
    extract(chat, proposer)
    assert [each.content for each in proposer.asked[0].messages if each.is_new] == [ALLERGY]
    assert last.pk not in {row.message_id for row in ExtractionRun.objects.latest("pk").message_rows.all()}


def test_budgets_in_two_currencies_have_the_keys_that_the_words_that_are_left_give(conversation):
    first, second = post(conversation, "My budget is 300 EUR.", "My budget is 50 USD.")
    assert get_known(conversation) == {("budget", "general"): "300 EUR", ("budget", "general_usd"): "50 USD"}
    plain = edit(first, "What a lovely evening.")
    assert get_known(conversation) == {("budget", "general"): "50 USD"}
    assert len(plain.facts.ended) == 2
    edit(plain.message, "My budget is 300 EUR.")
    assert get_known(conversation) == {("budget", "general"): "300 EUR", ("budget", "general_usd"): "50 USD"}
    edit(second, "My budget is 70 EUR.")
    assert get_known(conversation) == {("budget", "general"): "70 EUR"}


def test_an_edited_message_alone_makes_its_player_due(chat):
    [stated] = say(chat, ALLERGY, ago=dt.timedelta(hours=5))
    extract(chat, FixedProposer())
    ExtractionRun.objects.update(created_at=timezone.now() - dt.timedelta(hours=5))
    type(chat).objects.update(last_message_at=timezone.now() - dt.timedelta(hours=5))
    assert not list_due_users(limit=10)
    edit(stated, "I had a lovely supper")
    assert list_due_users(limit=10)


def test_an_answer_that_read_the_old_words_is_not_applied(chat):
    [stated] = say(chat, ALLERGY)
    proposer = FixedProposer([make_delta("hazelnuts", (1, ALLERGY))])
    run = claim_run(**owner_filter(chat), triggered_by="manual", proposer=proposer)
    run = answer_run(run, proposer)
    edit(stated, "I had a lovely supper")
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.FAILED, "messages_changed")
    apply_run(run, get_run_rules(run))
    assert get_known(chat) == {}


def test_a_model_that_was_asked_before_the_edit_proves_nothing_and_the_new_words_wait(chat):
    [stated] = say(chat, ALLERGY)
    proposer = FixedProposer([make_delta("hazelnuts", (1, ALLERGY))])
    run = claim_run(**owner_filter(chat), triggered_by="manual", proposer=proposer)
    seen = []

    class Editing(FixedProposer):
        def propose(self, given, **more):
            answer = super().propose(given, **more)
            seen.append(edit(stated, "I had a lovely supper").message.pk)
            return answer

    run = answer_run(run, Editing([make_delta("hazelnuts", (1, ALLERGY))]))
    apply_run(run, get_run_rules(run))
    assert get_known(chat) == {}
    again = FixedProposer()
    extract(chat, again)
    assert [each.id for each in again.asked[0].messages if each.is_new] == seen


def test_a_candidate_that_nothing_states_any_more_is_closed_and_not_blocked(chat):
    say(chat, "wedding in three weeks, help")
    delta = make_delta("wedding", (1, "wedding in three weeks, help"), type="life_event")
    extract(chat, FixedProposer([delta]))
    candidates = FactCandidate.objects.filter(**owner_filter(chat))
    assert [each.state for each in candidates] == ["open"]
    swipe(chat, 1, "What a day")
    assert [each.state for each in candidates.all()] == ["contradicted"]


def test_onboarding_what_other_words_prove_and_what_a_person_confirmed_stay(chat):
    write_fact(
        tenant_id=chat.tenant_id,
        user_id="player-1",
        draft=FactDraft(type="allergy", key="dust", value="dust", source="onboarding", confidence=1.0),
    )
    first, second = post(chat, "I'm allergic to nuts.", "As I said, I'm allergic to nuts.")
    [third] = post(chat, "I'm allergic to nickel.")
    nickel = UserFact.objects.get(is_active=True, evidence__contains=[third.pk])
    by_support = Correction("support", reason="They called.", made_by="ada")
    dispute_fact(**owner_filter(chat), fact_id=nickel.pk, correction=by_support)
    restore_fact(**owner_filter(chat), fact_id=nickel.pk, correction=by_support)
    done = edit(first, "Good evening.")
    assert (done.facts.ended, len(done.facts.kept)) == ((), 1)
    nuts = UserFact.objects.get(pk=done.facts.kept[0])
    assert nuts.evidence == [second.pk]
    swipe(chat, 3, "What a day.")
    assert get_known(chat) == {
        ("allergy", "dust"): "dust",
        ("allergy", "nuts"): "nuts",
        ("allergy", "nickel"): "nickel",
    }
    swipe(chat, 2, "Any news?")
    assert get_known(chat) == {("allergy", "dust"): "dust", ("allergy", "nickel"): "nickel"}


def test_a_statement_of_the_engine_goes_with_its_only_message(chat):
    [said] = post(chat, "Blue suits me.")
    draft = FactDraft(
        type="allergy", key="latex", value="latex", source="explicit", confidence=1.0, evidence=(said.pk,)
    )
    write_fact(tenant_id=chat.tenant_id, user_id="player-1", draft=draft)
    edit(said, "Red suits me.")
    assert get_known(chat) == {}
    assert rebuild_facts(**owner_filter(chat), dry_run=True).differences.is_none
    select(said)
    assert get_known(chat) == {("allergy", "latex"): "latex"}


def test_a_denial_that_is_swiped_away_brings_back_what_it_ended(chat):
    post(chat, "I'm allergic to nuts.", ("assistant", "No nuts for you."))
    [denial] = post(chat, "I'm not allergic to nuts.")
    assert get_known(chat) == {}
    done = swipe(chat, 3, "Good.")
    assert (get_known(chat), len(done.facts.restored)) == ({("allergy", "nuts"): "nuts"}, 1)
    select(denial)
    assert get_known(chat) == {}
    assert MemoryCorrection.objects.filter(trigger_message_id=denial.pk, outcome="deactivated").count() == 1
    assert rebuild_facts(**owner_filter(chat), dry_run=True).differences.is_none


def test_a_swiped_question_takes_along_the_answer_to_it(chat):
    post(chat, ("assistant", "Are you allergic to nuts?"), "Yes.")
    assert get_known(chat) == {("allergy", "nuts"): "nuts"}
    swipe(chat, 1, "Are you tired?")
    assert get_known(chat) == {}
    swipe(chat, 1, "Are you allergic to nickel?")
    assert get_known(chat) == {("allergy", "nickel"): "nickel"}


@pytest.mark.parametrize("source", ["batch", "explicit"])
def test_a_mended_question_leaves_the_allergy_that_was_answered_to_it_disputed(chat, source):
    [asked] = say(chat, "Which oen was it again?", role="assistant")
    [answer] = say(chat, "The usual, cook knows.")
    draft = FactDraft(
        type="allergy",
        key="hazelnuts",
        value="hazelnuts",
        source=source,
        confidence=1.0,
        evidence=(asked.pk, answer.pk),
    )
    apply_fact(**owner_filter(chat), draft=draft)
    done = edit(asked, "Which one was it again?")
    fact = UserFact.objects.get(is_active=True)
    assert (done.facts.ended, done.facts.settled) == ((), (fact.pk,))
    assert (fact.is_disputed, fact.corrected_message_id) == (True, done.message.pk)
    assert rebuild_facts(**owner_filter(chat), dry_run=True).differences.is_none
    post(chat, "I'm allergic to nickel.")
    swipe(chat, 3, "What a day.")
    assert UserFact.objects.get(is_active=True).is_disputed
    assert select(asked).facts.settled == (fact.pk,)
    assert not UserFact.objects.get(is_active=True).is_disputed
    edit(answer, "Nothing, thank you.")
    assert get_known(chat) == {}


def test_snippets_of_the_place_and_beside_it_and_summaries_of_it_go(chat):
    messages = post(chat, *(("user", f"{word} " * 60) for word in ("salt", "ferry", "tower", "lamp")))
    for message in messages:
        claim = claim_snippet(
            tenant_id=chat.tenant_id, message_id=message.pk, prompt_version=1, lease=dt.timedelta(minutes=1)
        )
        assert keep_snippet(claim, "About it.", model="test")
    TalkSummary.objects.create(
        tenant_id=chat.tenant_id,
        end_user_id=chat.end_user_id,
        conversation=chat,
        text="Salt.",
        evidence=[messages[0].pk],
        through_seq=1,
        tried_seq=1,
        prompt_version=1,
    )
    done = edit(messages[0], "Pepper.")
    assert (done.change.changed["cleared"]["snippets"], done.change.changed["cleared"]["talk_summaries"]) == (2, 1)
    assert MessageSnippet.objects.count() == 2


def test_people_see_on_the_conversation_what_ended_with_an_edit(chat, client):
    [said] = post(chat, "I'm allergic to nuts.")
    edit(said, "Good evening.")
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    page = client.get(reverse("admin:player_conversation", args=[chat.pk]))
    told = page.content.decode()
    assert "1 other alternative" in told
    assert "allergic to nuts" in told
    assert "ended" in told
