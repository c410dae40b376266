"""What labels decide: the breakers at once, the odds and the trust in confidence once an hour."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from factcheck.extraction.actions.breakers import resume_breaker
from factcheck.extraction.models import BreakerEvent, ConfidenceBucket, ExtractionRun, SamplingRate
from factcheck.extraction.run_mode import find_run_mode
from factcheck.extraction.selectors.breakers import find_breaker
from factcheck.extraction.selectors.buckets import list_untrusted_buckets
from factcheck.extraction.selectors.status import describe_extraction
from reviews.errors import ReasonRequired, RoleRequired
from reviews.labelling.models import SampleLabel
from reviews.models import AuditEntry
from reviews.quality.actions.judgements import find_standing, judge_after_label, judge_all_tenants, judge_tenant
from reviews.quality.actions.switches import pause_extraction, resume_extraction
from reviews.quality.selectors.history import build_confidence_history
from reviews.quality.selectors.labels import list_labelled, list_recent_outcomes
from reviews.selectors.actors import actor_of_user
from tests.factcheck.extraction.rows import make_player, make_run
from tests.factories.people import make_member
from tests.reviews.quality.rows import label, label_gold, label_many, make_samples

pytestmark = pytest.mark.django_db
LONG_AGO = dt.timedelta(days=40)


def items(user):
    return list_labelled(user.tenant_id, timezone.now() - dt.timedelta(days=14))


def test_the_label_that_shows_too_many_errors_opens_the_breakers(user, rob):
    labels = label_many(user, rob, 17, 2)
    assert judge_after_label(labels[-1].pk) == []
    (last,) = make_samples(make_run(user), 1)
    (english,) = judge_after_label(label(last, rob, "not_meant").pk)
    assert english.language == "en"
    assert (english.state, english.n, english.errors, english.prompt_version) == ("open", 20, 3, "en-1")
    assert find_run_mode(tenant_id=user.tenant_id, language="en") is None


def test_languages_that_are_few_each_stop_all_together(user, rob):
    for language in ("en", "ru", "zh", "mixed"):
        labels = label_many(user, rob, 7, 1, language=language)
    (event,) = judge_after_label(labels[-1].pk)
    assert (event.language, event.n, event.errors) == ("", 32, 4)
    assert find_run_mode(tenant_id=user.tenant_id, language="ar") is None


def test_one_language_can_stop_alone(user, rob):
    label_many(user, rob, 80, 0)
    labels = label_many(user, rob, 8, 3, language="ar")
    (event,) = judge_after_label(labels[-1].pk)
    assert (event.language, event.n, event.errors) == ("ar", 11, 3)
    assert find_run_mode(tenant_id=user.tenant_id, language="en") == "on"


def test_what_does_not_speak_for_all_opens_nothing(user, rob):
    label_many(user, rob, 0, 20, reason="risk")
    label_many(user, rob, 0, 20, reason="trial")
    labels = label_many(user, rob, 0, 20, verdict="rejected_subject")
    assert judge_after_label(labels[-1].pk) == []
    assert list_recent_outcomes(user.tenant_id, "", None)[0] == []


def test_cannot_tell_counts_and_is_no_error(user, rob):
    for sample in make_samples(make_run(user), 3):
        label(sample, rob, "cannot_tell")
    assert list_recent_outcomes(user.tenant_id, "en", None)[0] == [False, False, False]


def test_of_two_labels_the_first_counts_and_an_undone_or_late_one_does_not(user, rob):
    sam = make_member(user.tenant, "sam")
    first, second, third = make_samples(make_run(user), 3)
    label(first, rob, "correct")
    label(first, sam, "wrong_value")
    label(second, rob, "wrong_value", undone_at=timezone.now())
    label(second, sam, "correct")
    label(third, rob, "wrong_value", is_late=True)
    assert {item.sample_id: item.verdict for item in items(user)} == {first.pk: "correct", second.pk: "correct"}


def test_reviews_before_it_closed_are_past(user, rob):
    labels = label_many(user, rob, 16, 4)
    for event in judge_after_label(labels[-1].pk):
        resume_breaker(event, state="closed", made_by="olga", reason="a new prompt")
    (sample,) = make_samples(make_run(user), 1)
    assert judge_after_label(label(sample, rob, "wrong_value").pk) == []


def test_old_proposals_that_are_reviewed_after_it_closed_open_nothing(user, rob):
    labels = label_many(user, rob, 16, 4)
    old = make_samples(make_run(user), 20)
    for event in judge_after_label(labels[-1].pk):
        resume_breaker(event, state="closed", made_by="olga", reason="a new prompt")
    judged = [label(sample, rob, "wrong_value") for sample in old]
    assert judge_after_label(judged[-1].pk) == []
    for sample in make_samples(make_run(user), 20):
        last = label(sample, rob, "wrong_value")
    assert [event.state for event in judge_after_label(last.pk)] == ["open"]


def test_a_trial_of_fifty_closes_the_breaker(user, rob):
    labels = label_many(user, rob, 16, 4)
    for event in judge_after_label(labels[-1].pk):
        resume_breaker(event, state="half_open", made_by="olga", reason="try")
    assert find_run_mode(tenant_id=user.tenant_id, language="en") == "trial"
    samples = make_samples(make_run(user, mode="trial"), 50, reason="trial")
    for sample in samples[:-1]:
        last = label(sample, rob)
    assert judge_after_label(last.pk) == []
    (closed,) = judge_after_label(label(samples[-1], rob, "wrong_value").pk)
    assert (closed.language, closed.state, closed.n, closed.errors) == ("en", "closed", 50, 1)
    assert find_run_mode(tenant_id=user.tenant_id, language="en") == "on"


def test_a_label_of_gold_moves_no_breaker(user, rob):
    label_many(user, rob, 16, 4)
    label_gold(user, rob, planted=True, verdicts=["wrong_value"])
    assert judge_after_label(SampleLabel.objects.get(is_gold_check=True).pk) == []
    assert BreakerEvent.objects.count() == 0


def test_labels_of_another_tenant_are_nobody_s_business(user, rob):
    label_many(user, rob, 0, 30)
    other = make_player("other")
    labels = label_many(other, make_member(other.tenant, "sam"), 20, 0)
    assert judge_after_label(labels[-1].pk) == []
    assert len(list_labelled(other.tenant_id, timezone.now() - dt.timedelta(days=1))) == 20


def age_first_run(user):
    make_run(user, created_at=timezone.now() - LONG_AGO)


def test_149_clean_reviews_lower_the_policy_and_one_pause_raises_it(user, rob):
    age_first_run(user)
    labels = label_many(user, rob, 148, 0)
    assert judge_tenant(user.tenant_id).policy == 0.01
    label_many(user, rob, 1, 0)
    row = judge_tenant(user.tenant_id)
    assert (row.policy, row.reviewed, row.errors) == (0.001, 149, 0)
    assert row.reason.startswith("100 %: 149 proposals passed the gate in 14 days")
    assert "0.1 %: of 149 reviewed in 14 days 0 were wrong, so at most 2.0% are (95 %)" in row.reason
    label_many(user, rob, 8, 4, language="ar")
    assert judge_tenant(user.tenant_id).policy == 0.01
    assert find_breaker(user.tenant_id, "reviews", "ar").state == "open"
    assert "a breaker was open" in SamplingRate.objects.first().reason
    assert labels


def test_reviewers_who_miss_planted_errors_prove_less(user, rob):
    age_first_run(user)
    label_many(user, rob, 236, 1)
    assert judge_tenant(user.tenant_id).policy == 0.001
    label_gold(user, rob, planted=True, verdicts=["wrong_value"] * 12 + ["correct"] * 8)
    row = judge_tenant(user.tenant_id)
    assert row.policy == 0.01
    assert row.ceiling > 0.03


def test_a_new_prompt_is_news_for_14_days(user, rob):
    make_run(user, created_at=timezone.now() - LONG_AGO)
    make_run(user, prompt_version="en-2")
    make_run(user)
    standing = find_standing(user.tenant_id, items(user))
    assert standing.new == ["prompt offline en-2"]
    assert standing.days == pytest.approx(40, abs=0.1)


def test_a_bucket_that_is_proven_under_95_percent_right_is_not_believed(user, rob):
    label_many(user, rob, 18, 2, confidence=0.82)
    judge_tenant(user.tenant_id)
    assert list_untrusted_buckets(user.tenant_id, "offline en-1") == frozenset(), "18 of 20 prove nothing"
    label_many(user, rob, 0, 3, confidence=0.82)
    label_many(user, rob, 20, 0, confidence=0.97)
    judge_tenant(user.tenant_id)
    assert list_untrusted_buckets(user.tenant_id, "offline en-1") == {0.8}
    assert list_untrusted_buckets(user.tenant_id, "gpt-9 en-1") == frozenset()
    assert list_untrusted_buckets(make_player("other").tenant_id, "offline en-1") == frozenset()
    assert describe_extraction(tenant_id=user.tenant_id, is_world_bound=False).muted_confidences == 1
    [told] = build_confidence_history(user.tenant_id).rows
    assert told[1:6] == ("offline en-1", 0.8, "muted", 23, 18)
    assert told[7] < 0.95
    judge_tenant(user.tenant_id)
    assert ConfidenceBucket.objects.count() == 1, "what has not changed is not stored again"
    label_many(user, rob, 60, 0, confidence=0.82)
    judge_tenant(user.tenant_id)
    assert list_untrusted_buckets(user.tenant_id, "offline en-1") == frozenset()
    assert [row[3] for row in build_confidence_history(user.tenant_id).rows] == ["believed again", "muted"]
    assert describe_extraction(tenant_id=user.tenant_id, is_world_bound=False).muted_confidences == 0


def test_tenants_that_do_not_extract_are_left_alone(user):
    make_player("quiet", extraction="off")
    assert judge_all_tenants() == 1
    assert set(SamplingRate.objects.values_list("tenant__slug", flat=True)) == {"studio"}


def test_an_owner_resumes_with_a_reason_that_is_audited(user, rob):
    event = judge_after_label(label_many(user, rob, 16, 4)[-1].pk)[0]
    owner = actor_of_user(make_member(user.tenant, "olga", "owner"), user.tenant_id)
    with pytest.raises(ReasonRequired):
        resume_extraction(event, state="closed", actor=owner, reason="  ")
    with pytest.raises(RoleRequired):
        resume_extraction(event, state="closed", actor=actor_of_user(rob, user.tenant_id), reason="please")
    assert resume_extraction(event, state="half_open", actor=owner, reason="a new prompt").state == "half_open"
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor_label, entry.reason) == ("extraction.resumed", owner.label, "a new prompt")
    assert (entry.before, entry.after, entry.details["errors"]) == ("open", "half_open", 4)


def test_an_owner_stops_it_and_that_is_audited(user):
    owner = actor_of_user(make_member(user.tenant, "olga", "owner"), user.tenant_id)
    pause_extraction(user.tenant_id, actor=owner, reason="the model changed")
    assert find_run_mode(tenant_id=user.tenant_id, language="en") is None
    assert AuditEntry.objects.get().action == "extraction.paused"
    assert ExtractionRun.objects.count() == 0
