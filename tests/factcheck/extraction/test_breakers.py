"""Breakers over real rows: they open, are tried, close, and say why."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from factcheck.errors import BreakerMoved
from factcheck.extraction.actions.breaker_notices import mail_breaker_notice
from factcheck.extraction.actions.breakers import (
    judge_denial_breakers,
    judge_review_breaker,
    judge_trial,
    pause_by_hand,
    resume_breaker,
)
from factcheck.extraction.models import BreakerEvent
from factcheck.extraction.run_mode import find_run_mode
from factcheck.extraction.selectors.breakers import (
    count_denials,
    find_breaker,
    list_unclosed_breakers,
    was_paused_since,
)
from knowledge.facts.actions import Correction, apply_fact, deactivate_fact, dispute_fact
from knowledge.facts.core.drafts import FactDraft
from tenancy.models import Membership, Tenant
from tests.factcheck.extraction.rows import make_batch_facts, make_deltas, make_player, make_run
from tests.factories.conversations import open_chat, post

pytestmark = pytest.mark.django_db

BAD = [False] * 16 + [True] * 4


@pytest.fixture
def user():
    return make_player()


def mode(user, language="en"):
    found = find_run_mode(tenant_id=user.tenant_id, language=language)
    return None if found is None else str(found)


def open_reviews(user, language="en"):
    return judge_review_breaker(None, tenant_id=user.tenant_id, language=language, outcomes=BAD)


def deny(user, facts, type_="user_denied", outcome="deactivated"):
    for fact in facts:
        correction = Correction(
            type=type_, trigger_message_id=1, basis="explicit", corrected_message_id=2, reason="told so", made_by="rob"
        )
        act = dispute_fact if outcome == "disputed" else deactivate_fact
        act(tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact.pk, correction=correction)


@pytest.mark.parametrize(("switch", "may"), [("off", None), ("shadow", "shadow"), ("on", "on")])
def test_without_a_breaker_the_switch_decides(user, switch, may):
    Tenant.objects.update(extraction=switch)
    assert mode(user) == may


def test_reviews_open_the_breaker_of_their_language_with_its_figures(user):
    event = open_reviews(user)
    assert (event.state, event.kind, event.language, event.n, event.errors) == ("open", "reviews", "en", 20, 4)
    assert event.lower == pytest.approx(0.0931, abs=0.0001)
    assert event.rule == "wilson lower bound > 5 %, z 1.645, n >= 20"
    assert event.reason == "4 of the last 20 reviews found an error"
    assert (mode(user), mode(user, "ar")) == (None, "on")


def test_the_breaker_of_all_languages_stops_each(user):
    open_reviews(user, "")
    assert (mode(user), mode(user, "ar")) == (None, None)
    assert mode(make_player("other")) == "on"


def test_few_errors_open_nothing(user):
    few = [False] * 98 + [True] * 2
    assert judge_review_breaker(None, tenant_id=user.tenant_id, language="en", outcomes=few) is None
    assert BreakerEvent.objects.count() == 0


def test_of_two_that_judge_at_once_one_writes(user):
    assert open_reviews(user) is not None
    assert open_reviews(user) is None
    assert BreakerEvent.objects.count() == 1


def test_an_owner_tries_it_and_the_trial_closes_it(user):
    event = open_reviews(user)
    tried = resume_breaker(event, state="half_open", made_by="olga", reason="a new prompt")
    assert (tried.state, tried.made_by, tried.reason, tried.rule) == ("half_open", "olga", "a new prompt", "by hand")
    assert mode(user) == "trial"
    assert judge_trial(tried, [True] * 2 + [False] * 47) is None
    closed = judge_trial(tried, [True] * 2 + [False] * 48)
    assert (closed.state, closed.n, closed.errors, closed.made_by) == ("closed", 50, 2, "service")
    assert mode(user) == "on"


def test_a_trial_opens_it_again_at_the_third_error(user):
    tried = resume_breaker(open_reviews(user), state="half_open", made_by="olga", reason="again")
    again = judge_trial(tried, [False, True, True, True])
    assert (again.state, again.n, again.errors) == ("open", 4, 3)
    assert again.reason == "the trial failed: 3 of 4 reviews found an error"
    assert mode(user) is None


def test_a_breaker_that_moved_is_not_resumed(user):
    event = open_reviews(user)
    closed = resume_breaker(event, state="closed", made_by="olga", reason="false alarm")
    for stale, state in ((event, "half_open"), (closed, "half_open"), (closed, "closed")):
        with pytest.raises(BreakerMoved):
            resume_breaker(stale, state=state, made_by="olga", reason="late")
    assert mode(user) == "on"


def test_an_owner_stops_it_by_hand(user):
    event = pause_by_hand(user.tenant_id, made_by="olga", reason="the model changed")
    assert (event.state, event.language, event.rule) == ("open", "", "by hand")
    assert mode(user, "ar") is None
    with pytest.raises(BreakerMoved):
        pause_by_hand(user.tenant_id, made_by="olga", reason="twice")


def test_denials_open_the_breaker_by_the_bound(user):
    facts = make_batch_facts(make_run(user), 40)
    deny(user, facts[:2])
    assert judge_denial_breakers(user.tenant_id) == []
    deny(user, facts[2:6])
    (english,) = judge_denial_breakers(user.tenant_id)
    assert english.language == "en"
    assert (english.kind, english.n, english.errors) == ("denials", 40, 6)
    assert english.reason == "players denied 6 of 40 facts of the last 7 days"
    assert mode(user) is None
    assert judge_denial_breakers(user.tenant_id) == []


def test_languages_with_few_facts_each_stop_all_together(user):
    for language in ("en", "ru", "zh"):
        deny(user, make_batch_facts(make_run(user, language=language), 12)[:2])
    (event,) = judge_denial_breakers(user.tenant_id)
    assert (event.language, event.n, event.errors) == ("", 36, 6)
    assert mode(user, "ar") is None


def test_below_thirty_facts_denials_say_nothing(user):
    deny(user, make_batch_facts(make_run(user), 29))
    assert judge_denial_breakers(user.tenant_id) == []


def test_after_it_closed_denials_count_anew(user):
    deny(user, make_batch_facts(make_run(user), 30)[:9])
    for event in judge_denial_breakers(user.tenant_id):
        resume_breaker(event, state="closed", made_by="olga", reason="mended")
    assert judge_denial_breakers(user.tenant_id) == []
    assert count_denials(user.tenant_id, since=BreakerEvent.objects.first().created_at).facts == 0


def test_what_is_no_denial_of_a_batch_fact_is_not_counted(user):
    run = make_run(user)
    facts = make_batch_facts(run, 8)
    deny(user, facts[:1], "outdated")
    deny(user, facts[1:2], "support")
    deny(user, facts[2:3], "ambiguous", "disputed")
    deny(user, facts[3:4], "wrong_subject")
    instant = FactDraft(type="budget", key="rules", value="1", source="instant_pattern", evidence=(1,))
    own = apply_fact(tenant_id=user.tenant_id, end_user_id=user.pk, draft=instant).fact
    deny(user, [own])
    make_deltas(run, 5)
    counts = count_denials(user.tenant_id)
    assert (counts.facts, counts.denied) == (8, 2)
    assert count_denials(make_player("other").tenant_id).facts == 0


def test_a_player_s_denial_is_judged_as_soon_as_it_is_known(user, django_capture_on_commit_callbacks):
    run = make_run(user)
    facts = make_batch_facts(run, 33)
    deny(user, facts[:5])
    draft = FactDraft(type="allergy", key="nickel", value="nickel", source="batch", evidence=(1,))
    fact = apply_fact(tenant_id=user.tenant_id, end_user_id=user.pk, draft=draft).fact
    make_deltas(run, 1, outcome="written", fact=fact)
    chat = open_chat(user.tenant, user.external_id)
    with django_capture_on_commit_callbacks(execute=True):
        post(chat, "No, I'm not allergic to nickel")
    event = find_breaker(user.tenant_id, "denials", "en")
    assert (event.state, event.n, event.errors) == ("open", 34, 6)


def test_open_breakers_are_listed_newest_first_and_closed_ones_are_not(user):
    first, second = open_reviews(user), open_reviews(user, "ar")
    other = open_reviews(make_player("other"))
    resume_breaker(first, state="closed", made_by="olga", reason="fine")
    assert [row.pk for row in list_unclosed_breakers()] == [other.pk, second.pk]
    assert [row.pk for row in list_unclosed_breakers([user.tenant_id])] == [second.pk]


def test_a_pause_is_remembered(user):
    event = open_reviews(user)
    resume_breaker(event, state="closed", made_by="olga", reason="fine")
    assert was_paused_since(user.tenant_id, event.created_at)
    assert not was_paused_since(user.tenant_id, BreakerEvent.objects.first().created_at)


def test_the_mode_takes_two_queries(user):
    open_reviews(user)
    with CaptureQueriesContext(connection) as queries:
        mode(user)
    assert len(queries) == 2


def test_owners_are_told_by_mail_where_it_is_set_up(user, settings, django_user_model):
    for name, role in (("olga", "owner"), ("rob", "reviewer")):
        person = django_user_model.objects.create_user(name, f"{name}@example.com")
        Membership.objects.create(user=person, tenant_id=user.tenant_id, role=role)
    settings.EMAIL_HOST = "mail.example.com"
    assert mail_breaker_notice(open_reviews(user).pk) == 1
    (letter,) = mail.outbox
    assert letter.to == ["olga@example.com"]
    assert "4 of the last 20 reviews found an error" in letter.body
    assert "Rule: wilson lower bound > 5 %, z 1.645, n >= 20." in letter.body


def test_a_notice_is_queued_only_where_mail_is_set_up(user, settings, monkeypatch, django_capture_on_commit_callbacks):
    from factcheck import tasks

    sent = []
    monkeypatch.setattr(tasks.send_breaker_notice, "delay", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        open_reviews(user)
    settings.EMAIL_HOST = "mail.example.com"
    with django_capture_on_commit_callbacks(execute=True):
        event = open_reviews(user, "ar")
    assert sent == [event.pk]


@pytest.mark.django_db(transaction=True)
def test_of_two_reviewers_who_judge_at_the_same_time_one_opens_it():
    user = make_player()
    barrier = threading.Barrier(2)

    def judge(_):
        try:
            barrier.wait(10)
            return open_reviews(user)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        opened = list(pool.map(judge, range(2)))
    assert sum(event is not None for event in opened) == 1
    assert BreakerEvent.objects.count() == 1
