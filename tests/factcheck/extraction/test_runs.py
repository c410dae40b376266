"""Runs of the second stage: claimed, asked about once, gated, applied, every message accounted for."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import Conversation
from factcheck.extraction.actions.breakers import pause_by_hand
from factcheck.extraction.actions.run_answers import answer_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.actions.run_failures import fail_run
from factcheck.extraction.actions.runs import extract_user, finish_run
from factcheck.extraction.errors import ExtractionOff, ExtractionPaused, NothingPending, RunInProgress
from factcheck.extraction.models import ExtractionDelta, ExtractionRun, FactCandidate, RunMessage
from factcheck.extraction.sealing import DELTA, open_document, read_candidate
from factcheck.extraction.selectors.due import MIN_INTERVAL, list_abandoned, list_due_users
from knowledge.facts.actions import apply_fact, rotate_fact_keys
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.selectors import list_facts
from tenancy.actions.worlds import ensure_tenant
from tests.database import run_apart
from tests.factcheck.extraction.proposers import BrokenProposer, FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import open_chat, say
from tests.factories.facts import get_known, owner_filter

pytestmark = pytest.mark.django_db
ALLERGY = "I am allergic to hazelnuts"
HAZELNUTS = make_delta("hazelnuts", (1, ALLERGY))


def claim(chat: Conversation, proposer: FixedProposer, triggered_by: str = "manual") -> ExtractionRun:
    return claim_run(**owner_filter(chat), triggered_by=triggered_by, proposer=proposer)


def test_a_run_writes_what_passes_the_gate_and_accounts_for_each_message(chat):
    stated, other, chatter = say(chat, ALLERGY, "My sister has an allergy to cats", "So, where were we?")
    proposer = FixedProposer([HAZELNUTS, make_delta("cats", (2, "an allergy to cats"), subject="other")])
    run = extract(chat, proposer)
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}
    [fact] = list_facts(**owner_filter(chat))
    assert (fact.source, fact.evidence, fact.evidence_span) == ("batch", (stated.pk,), (other.pk,))
    assert (run.state, run.messages, run.extracted, run.rejected, run.nothing) == ("applied", 3, 1, 1, 1)
    assert {row.message_id: (row.outcome, row.code) for row in RunMessage.objects.filter(run=run)} == {
        stated.pk: ("extracted", ""),
        other.pk: ("rejected", "rejected_subject"),
        chatter.pk: ("nothing", ""),
    }
    assert [(row.outcome, row.fact_id) for row in run.delta_rows.all()] == [("written", fact.id), ("rejected", None)]
    assert (run.input_tokens, run.output_tokens, float(run.cost_usd or 0)) == (100, 10, 0.01)
    chat.refresh_from_db()
    assert (chat.extracted_to, chat.pending_extraction_count) == (3, 0)
    assert bytes(run.answer_sealed) == b""


def test_a_message_is_worked_off_once(chat):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    extract(chat, proposer)
    with pytest.raises(NothingPending):
        extract(chat, proposer)
    say(chat, "And so on")
    extract(chat, FixedProposer(seen := []))
    assert len(proposer.asked) == 1
    assert seen == []


def test_messages_before_the_range_are_shown_and_are_not_of_it(chat):
    say(chat, "One")
    extract(chat, FixedProposer())
    say(chat, "Two")
    proposer = FixedProposer()
    extract(chat, proposer)
    assert [(each.content, each.is_new) for each in proposer.asked[0].messages] == [("One", False), ("Two", True)]


def test_a_tenant_that_is_off_is_not_read(chat, tenant):
    say(chat, ALLERGY)
    tenant.extraction = "off"
    tenant.save()
    proposer = FixedProposer([HAZELNUTS])
    with pytest.raises(ExtractionOff):
        extract(chat, proposer)
    assert not proposer.asked


def test_a_shadow_run_proposes_and_writes_nothing(chat, tenant):
    tenant.extraction = "shadow"
    tenant.save()
    say(chat, ALLERGY)
    run = extract(chat, FixedProposer([HAZELNUTS]))
    assert get_known(chat) == {}
    assert [(row.verdict, row.outcome) for row in run.delta_rows.all()] == [("accepted", "shadowed")]
    assert (run.mode, run.extracted, run.deltas_applied) == ("shadow", 1, 0)


def test_words_of_a_character_are_accounted_for_and_shown_to_nobody(chat):
    say(chat, ALLERGY, frame="in_character")
    proposer = FixedProposer()
    run = extract(chat, proposer)
    assert (run.messages, run.nothing, proposer.asked[0].messages) == (1, 1, ())


def test_a_long_talk_is_worked_off_in_several_runs_each_with_the_facts_before(chat):
    say(chat, ALLERGY, *["word " * 3000 for _ in range(3)])
    proposer = FixedProposer(
        lambda given: [HAZELNUTS] if given.messages[0].content == ALLERGY and not given.facts else []
    )
    runs = extract_user(**owner_filter(chat), triggered_by="manual", proposer=proposer)
    assert len(runs) == 3
    assert {run.state for run in runs} == {"applied"}
    assert [len(given.facts) for given in proposer.asked] == [0, 1, 1]
    chat.refresh_from_db()
    assert (chat.extracted_to, chat.pending_extraction_count) == (4, 0)


def test_an_answer_is_applied_once_whoever_comes_twice(chat):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    run = claim(chat, proposer)
    first, second = finish_run(run, proposer), finish_run(run, proposer)
    assert first.pk == second.pk
    assert ExtractionDelta.objects.count() == 1
    assert len(list_facts(**owner_filter(chat))) == 1


def test_a_worker_that_dies_after_the_answer_costs_no_second_call(chat, monkeypatch):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    answer_run(claim(chat, proposer), proposer)
    with pytest.raises(RunInProgress):
        claim(chat, proposer)
    ExtractionRun.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    assert [user.end_user_id for user in list_abandoned(limit=9)] == [chat.end_user_id]
    run = extract(chat, proposer)
    assert (run.tries, run.state, len(proposer.asked)) == (2, "applied", 1)
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}


def test_a_worker_that_dies_before_the_answer_is_followed_by_another_and_then_given_up(chat):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    claim(chat, proposer)
    for tries in (2, 3):
        ExtractionRun.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
        assert claim(chat, proposer).tries == tries
    ExtractionRun.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    fresh = claim(chat, proposer)
    [lost] = ExtractionRun.objects.filter(state="failed")
    assert (fresh.tries, lost.error_code, lost.failed, lost.messages) == (1, "worker_lost", 1, 1)


def test_a_model_that_does_not_answer_leaves_the_messages_waiting(chat):
    [message] = say(chat, ALLERGY)
    run = extract(chat, BrokenProposer())
    assert (run.state, run.error_code, run.failed) == ("failed", "model_unavailable", 1)
    assert (run.input_tokens, run.output_tokens) == (50, 0)
    assert RunMessage.objects.get(message_id=message.pk).code == "model_unavailable"
    chat.refresh_from_db()
    assert (chat.extracted_to, chat.pending_extraction_count) == (0, 1)
    assert extract(chat, FixedProposer([HAZELNUTS])).state == "applied"


def test_what_was_forgotten_while_the_model_thought_proves_nothing(chat):
    message, _ = say(chat, ALLERGY, "Where were we?")

    def forget_meanwhile(given):
        forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
        return [HAZELNUTS]

    run = extract(chat, FixedProposer(forget_meanwhile))
    assert get_known(chat) == {}
    assert run.messages == 1
    assert [row.verdict for row in run.delta_rows.all()] == ["rejected_no_quote"]


def test_what_is_forgotten_later_leaves_its_delta_without_words(chat, django_capture_on_commit_callbacks):
    message, _ = say(chat, ALLERGY, "Where were we?")
    run = extract(chat, FixedProposer([HAZELNUTS]))
    with django_capture_on_commit_callbacks(execute=True):
        forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
    [delta] = run.delta_rows.all()
    assert (bytes(delta.words_sealed), delta.verdict, delta.outcome) == (b"", "accepted", "written")
    assert get_known(chat) == {}


def test_a_fact_said_later_is_not_overruled_by_an_older_message(chat):
    say(chat, "I am a size M", ago=dt.timedelta(days=2))
    later = timezone.now() - dt.timedelta(days=1)
    apply_fact(**owner_filter(chat), draft=FactDraft("body_params", "L", "explicit", evidence=(1,), valid_from=later))
    size = make_delta("M", (1, "I am a size M"), type="body_params", key="size")
    run = extract(chat, FixedProposer([size]))
    assert get_known(chat) == {("body_params", "size"): "L"}
    assert [row.outcome for row in run.delta_rows.all()] == ["outdated"]


@pytest.mark.parametrize(
    ("type_", "key", "value", "text", "outcome"),
    [
        ("allergy", "nuts", "nuts", "I'm not allergic to nuts any more", "disputed"),
        ("body_params", "size", "M", "I don't wear M any more", "ended"),
    ],
)
def test_a_denial_ends_an_ordinary_fact_and_only_disputes_what_protects(chat, type_, key, value, text, outcome):
    before = timezone.now() - dt.timedelta(days=1)
    draft = FactDraft(type_, value, "instant_pattern", key=key, evidence=(1,), valid_from=before)
    apply_fact(**owner_filter(chat), draft=draft)
    say(chat, text)
    denial = make_delta(value, (1, text), type=type_, key=key, operation="REMOVE", fact=1, stance="denies")
    run = extract(chat, FixedProposer([denial]))
    assert [row.outcome for row in run.delta_rows.all()] == [outcome]
    assert [fact.is_disputed for fact in list_facts(**owner_filter(chat))] == ([True] if outcome == "disputed" else [])


def test_a_proposal_never_replaces_an_allergy(chat):
    before = timezone.now() - dt.timedelta(days=1)
    apply_fact(
        **owner_filter(chat),
        draft=FactDraft("allergy", "tree nuts", "instant_pattern", key="nuts", evidence=(1,), valid_from=before),
    )
    say(chat, "I am allergic to nuts")
    run = extract(chat, FixedProposer([make_delta("nuts", (1, "I am allergic to nuts"))]))
    assert get_known(chat) == {("allergy", "nuts"): "tree nuts"}
    assert [row.outcome for row in run.delta_rows.all()] == ["confirmed"]


def test_a_proposal_that_repeats_a_fact_adds_proof_and_nothing_else(chat):
    before = timezone.now() - dt.timedelta(days=1)
    applied = apply_fact(
        **owner_filter(chat),
        draft=FactDraft("allergy", "hazelnuts", "instant_pattern", evidence=(1,), confidence=0.85, valid_from=before),
    )
    applied.fact.is_disputed, applied.fact.disputed_at = True, before
    applied.fact.save()
    [message] = say(chat, ALLERGY)
    run = extract(chat, FixedProposer([HAZELNUTS]))
    [fact] = list_facts(**owner_filter(chat))
    assert (fact.confidence, fact.is_disputed, message.pk in fact.evidence) == (0.85, True, True)
    assert [row.outcome for row in run.delta_rows.all()] == ["confirmed"]


def test_budgets_of_two_currencies_stand_beside_each_other(chat):
    before = timezone.now() - dt.timedelta(days=1)
    apply_fact(**owner_filter(chat), draft=FactDraft("budget", "300 EUR", "explicit", evidence=(1,), valid_from=before))
    say(chat, "My budget is 50 USD")
    extract(chat, FixedProposer([make_delta("50 USD", (1, "My budget is 50 USD"), type="budget", key="general")]))
    assert get_known(chat) == {("budget", "general"): "300 EUR", ("budget", "general_usd"): "50 USD"}


def make_due(chat: Conversation, *, minutes: int = 0, **values: Any) -> list[tuple[int, str]]:
    """Who is due so many minutes from now."""
    Conversation.objects.filter(pk=chat.pk).update(**values)
    now = timezone.now() + dt.timedelta(minutes=minutes)
    return [(user.end_user_id, user.reason) for user in list_due_users(limit=9, now=now)]


def test_a_run_is_due_when_the_session_is_over_or_much_or_long_waits(chat, tenant):
    say(chat, "Hello")
    user, now = chat.end_user_id, timezone.now()
    later = {"minutes": 121, "last_message_at": now + dt.timedelta(minutes=120)}
    assert make_due(chat) == []
    assert make_due(chat, minutes=31) == [(user, "session_closed")]
    assert make_due(chat, pending_extraction_count=14) == []
    assert make_due(chat, pending_extraction_count=15) == [(user, "pending_15")]
    assert make_due(chat, pending_extraction_count=1, **later) == [(user, "cron")]
    tenant.extraction = "off"
    tenant.save()
    assert make_due(chat, **later) == []


def test_a_pause_of_hours_is_not_a_wait_of_hours(chat):
    old = timezone.now() - dt.timedelta(hours=5)
    Conversation.objects.filter(pk=chat.pk).update(last_extraction_at=old, created_at=old)
    say(chat, "Hello again")
    assert make_due(chat) == []


def test_a_user_has_one_run_an_hour_but_for_a_person_who_asks(chat):
    say(chat, "Hello")
    extract(chat, FixedProposer())
    say(chat, ALLERGY)
    over = timezone.now() - dt.timedelta(minutes=31)
    assert make_due(chat, last_message_at=over) == []
    with pytest.raises(NothingPending):
        claim(chat, FixedProposer(), "session_closed")
    ExtractionRun.objects.update(created_at=timezone.now() - MIN_INTERVAL - dt.timedelta(minutes=1))
    assert make_due(chat) == [(chat.end_user_id, "session_closed")]


@pytest.mark.parametrize(
    ("code", "failures", "minutes", "is_due"),
    [
        ("model_unavailable", 1, 2, True),
        ("model_unavailable", 2, 2, False),
        ("model_unavailable", 2, 6, True),
        ("model_unavailable", 9, 20, False),
        ("model_unavailable", 9, 31, True),
        ("model_unusable", 3, 600, False),
        ("model_unusable", 3, 1500, True),
    ],
)
def test_a_run_that_failed_is_tried_again_later_and_later(chat, code, failures, minutes, is_due):
    say(chat, ALLERGY)
    proposer = BrokenProposer()
    proposer.code = code
    for _ in range(failures):
        extract(chat, proposer)
    ExtractionRun.objects.update(finished_at=timezone.now() - dt.timedelta(minutes=minutes))
    due = make_due(chat, last_message_at=timezone.now() - dt.timedelta(minutes=31))
    assert due == ([(chat.end_user_id, "session_closed")] if is_due else [])


def test_players_of_a_paused_tenant_are_not_due(chat):
    say(chat, "Hello")
    assert make_due(chat, last_message_at=timezone.now() - dt.timedelta(hours=1))
    pause_by_hand(chat.tenant_id, made_by="eve", reason="A bad prompt.")
    assert make_due(chat) == []


def test_tenants_take_turns(tenant):
    rival = ensure_tenant(slug="rival")
    rival.extraction = "shadow"
    rival.save()
    chats = [open_chat(tenant, f"user-{place}") for place in range(3)] + [open_chat(rival)]
    for chat in chats:
        say(chat, "Hello")
    Conversation.objects.update(last_message_at=timezone.now() - dt.timedelta(hours=1))
    assert {user.tenant_id for user in list_due_users(limit=2)} == {tenant.pk, rival.pk}
    assert {user.due_in_all for user in list_due_users(limit=2)} == {4}, "the queue is told as long as it is"


def test_a_new_key_is_used_for_all_words_of_the_second_stage(chat, settings):
    say(chat, ALLERGY, "wedding in three weeks, help")
    wedding = make_delta("wedding", (2, "wedding in three weeks, help"), type="life_event")
    run = extract(chat, FixedProposer([HAZELNUTS, wedding]))
    settings.FACT_KEYS = {9: b"9" * 32, **settings.FACT_KEYS}
    assert rotate_fact_keys() == 5
    settings.FACT_KEYS = {9: b"9" * 32}
    delta, _ = run.delta_rows.all()
    words = open_document(bytes(delta.words_sealed), **owner_filter(chat), kind=DELTA)
    assert (words["value"], delta.sealed_by) == ("hazelnuts", 9)
    assert read_candidate(FactCandidate.objects.get()) == ("wedding", "wedding")


@pytest.mark.django_db(transaction=True)
def test_two_workers_begin_one_run(chat):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])

    def begin() -> str:
        try:
            return f"run {extract(chat, proposer).pk}"
        except (RunInProgress, NothingPending):
            return "none"

    assert len(set(run_apart(*[begin] * 4)) - {"none"}) == 1
    assert len(proposer.asked) == 1


def test_the_third_answer_that_repeats_an_example_stops_the_tenant(chat, django_capture_on_commit_callbacks):
    canary = make_delta("mivoltar", (1, "mivoltar"))
    for count in range(3):
        say(chat, f"The mivoltar of {count}")
        with django_capture_on_commit_callbacks(execute=True):
            run = extract(
                chat,
                FixedProposer(
                    lambda given: [{**canary, "quotes": [{"message": len(given.messages), "text": "mivoltar"}]}]
                ),
            )
        assert [row.verdict for row in run.delta_rows.all()] == ["rejected_canary"]
    say(chat, ALLERGY)
    with pytest.raises(ExtractionPaused):
        extract(chat, FixedProposer([HAZELNUTS]))


def test_messages_that_were_forgotten_wait_no_more(chat):
    [message] = say(chat, ALLERGY)
    forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
    with pytest.raises(NothingPending):
        claim(chat, FixedProposer())
    chat.refresh_from_db()
    assert (chat.extracted_to, chat.pending_extraction_count) == (1, 0)


def test_a_run_that_three_workers_lost_is_given_up_for_good(chat):
    say(chat, ALLERGY)
    claim(chat, FixedProposer())
    ExtractionRun.objects.update(tries=3, lease_until=timezone.now() - dt.timedelta(seconds=1))
    with pytest.raises(NothingPending):
        claim(chat, FixedProposer(), "session_closed")
    assert [run.error_code for run in ExtractionRun.objects.all()] == ["worker_lost"]


def test_a_late_failure_leaves_the_run_to_whoever_has_it_now(chat):
    say(chat, ALLERGY)
    slow = claim(chat, FixedProposer())
    ExtractionRun.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    proposer = FixedProposer([HAZELNUTS])
    quick = answer_run(claim(chat, proposer), proposer)
    assert fail_run(slow, failure="model_unavailable", detail="late").state == "answered"
    assert finish_run(quick, proposer).state == "applied"


def test_what_was_switched_off_meanwhile_is_not_written(chat, tenant):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    run = answer_run(claim(chat, proposer), proposer)
    tenant.extraction = "off"
    tenant.save()
    run = finish_run(run, proposer)
    assert (run.state, run.error_code) == ("failed", "extraction_stopped")
    assert get_known(chat) == {}


def test_a_breaker_that_opened_meanwhile_lets_nothing_of_its_language_through(chat):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    run = answer_run(claim(chat, proposer), proposer)
    ExtractionRun.objects.update(language="ru")
    run.refresh_from_db()
    pause_by_hand(chat.tenant_id, language="en", made_by="eve", reason="A bad prompt.")
    run = finish_run(run, proposer)
    assert (run.state, [row.outcome for row in run.delta_rows.all()]) == ("applied", ["shadowed"])


def test_of_an_answer_that_repeats_an_example_nothing_is_believed(chat):
    say(chat, ALLERGY, "The mivoltar hums")
    run = extract(chat, FixedProposer([HAZELNUTS, make_delta("mivoltar", (2, "mivoltar"))]))
    assert {row.verdict for row in run.delta_rows.all()} == {"rejected_canary"}
    assert get_known(chat) == {}
