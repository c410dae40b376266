"""What people are to review of a run, drawn in the transaction that writes it."""

from __future__ import annotations

import datetime as dt
from collections import Counter

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from factcheck.extraction.actions.sampling import draw_samples, find_rates, set_sampling_rate
from factcheck.extraction.core.sampling import LOW_POLICY, Standing, make_draw
from factcheck.extraction.core.statistics import Outcome, estimate_rate
from factcheck.extraction.models import ExtractionSample, RunMode, SamplingRate
from factcheck.models import PatternVersion
from knowledge.facts.sealing import get_key_ring
from tests.factcheck.extraction.rows import make_deltas, make_player, make_run, set_rate

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return make_player()


def reasons(samples):
    return Counter(sample.reason for sample in samples)


def clean(n=149):
    return estimate_rate([Outcome(is_error=False, probability=0.01)] * n)


def proven():
    return Standing(reviewed=clean(), strata={}, days=30.0)


def test_before_any_setting_everything_is_reviewed(user):
    run = make_run(user)
    samples = draw_samples(run, [*make_deltas(run, 3), *make_deltas(run, 1, verdict="rejected_subject")])
    assert reasons(samples) == {"all": 5}
    assert {sample.probability for sample in samples} == {1.0}
    assert [sample.kind for sample in samples] == ["delta"] * 4 + ["run"]


def test_a_delta_that_names_no_known_message_is_no_item(user):
    run = make_run(user)
    (shown,) = make_deltas(run, 1)
    nameless = make_deltas(run, 2, verdict="rejected_no_evidence", evidence=[])
    samples = draw_samples(run, [nameless[0], shown, nameless[1]])
    assert [sample.delta for sample in samples] == [shown, None]


def test_drawn_are_the_first_of_a_day_and_those_below_the_rate(user):
    set_rate(user, 0.2)
    run = make_run(user)
    deltas = make_deltas(run, 60)
    samples = draw_samples(run, deltas)
    key = get_key_ring().index_key
    below = [delta.pk for delta in deltas[3:] if make_draw(key, "delta", delta.pk) < 0.2]
    drawn = [sample for sample in samples if sample.kind == "delta"]
    assert [sample.delta_id for sample in drawn] == [delta.pk for delta in deltas[:3]] + below
    assert reasons(drawn) == {"floor": 3, "random": len(below)}
    assert {(sample.reason, sample.probability) for sample in drawn} == {("floor", 1.0), ("random", 0.2)}


def test_the_floor_is_of_a_day_and_of_a_stratum(user):
    set_rate(user, 0.001)
    for _ in range(3):
        run = make_run(user)
        draw_samples(run, make_deltas(run, 2))
    arabic = make_run(user, language="ar")
    draw_samples(arabic, [*make_deltas(arabic, 1), *make_deltas(arabic, 2, verdict="rejected_echo")])
    counts = Counter(ExtractionSample.objects.filter(reason="floor").values_list("stratum", flat=True))
    assert counts == {"en · ADD · en-1": 3, "ar · ADD · en-1": 1, "ar · rejected ADD · en-1": 1}


def test_yesterday_s_floor_is_not_today_s(user):
    set_rate(user, 0.001)
    run = make_run(user)
    deltas = make_deltas(run, 6)
    yesterday = timezone.now() - dt.timedelta(days=1)
    for delta in deltas[:3]:
        ExtractionSample.objects.create(
            tenant_id=user.tenant_id, end_user=user, kind="delta", run=run, delta=delta, reason="floor", probability=1,
            stratum="en · ADD · en-1", created_at=yesterday,
        )  # fmt: skip
    assert reasons(draw_samples(run, deltas[3:]))["floor"] == 3


def test_of_a_trial_all_that_passed_is_taken(user):
    set_rate(user, 0.001)
    run = make_run(user, mode=RunMode.TRIAL)
    samples = draw_samples(run, [*make_deltas(run, 9), *make_deltas(run, 9, verdict="rejected_subject")])
    assert reasons(samples)["trial"] == 9


def test_what_looks_doubtful_is_added_beside_the_sample(user):
    set_rate(user, 0.001)
    run = make_run(user)
    plain, doubtful = make_deltas(run, 3), make_deltas(run, 9, type="allergy")
    refused = make_deltas(run, 2, type="allergy", verdict="rejected_subject")
    samples = draw_samples(run, [*plain, *doubtful, *refused])
    risks = [sample for sample in samples if sample.reason == "risk"]
    assert len(risks) == 3
    assert {sample.delta_id for sample in risks} <= {delta.pk for delta in doubtful}


def test_runs_are_drawn_though_they_yielded_nothing(user):
    set_rate(user, 0.3)
    key = get_key_ring().index_key
    runs = [make_run(user) for _ in range(30)]
    drawn = [sample for run in runs for sample in draw_samples(run, [])]
    assert {sample.run_id for sample in drawn} == {run.pk for run in runs if make_draw(key, "run", run.pk) < 0.3}
    assert {sample.probability for sample in drawn} == {0.3}


def test_drawing_takes_four_queries_whatever_the_size(user):
    set_rate(user, 0.5)
    for size in (2, 20):
        run = make_run(user)
        deltas = make_deltas(run, size, type="allergy")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            draw_samples(run, deltas)
        assert len(queries) <= 3


def test_a_failed_write_leaves_no_sample(user):
    run = make_run(user)

    def write():
        with transaction.atomic():
            draw_samples(run, make_deltas(run, 2))
            make_run(user, messages=2)

    with pytest.raises(IntegrityError):
        write()
    assert ExtractionSample.objects.count() == 0


def test_a_setting_tells_why_and_is_kept_while_it_would_hardly_change(user):
    run = make_run(user)
    make_deltas(run, 25)
    row = set_sampling_rate(user.tenant_id, Standing(reviewed=clean(10), strata={}, days=3.0))
    assert (row.policy, row.accepted_rate, row.needed, row.accepted) == (0.01, 1.0, 149, 25)
    assert row.reason == (
        "100 %: 25 proposals passed the gate in 14 days, and 149 reviews decide, so all are reviewed. "
        "Policy 1 %: extraction has run for 3 of 14 days"
    )
    assert set_sampling_rate(user.tenant_id, Standing(reviewed=clean(11), strata={}, days=3.0)) == row
    make_run(user, prompt_version="en-2")
    assert set_sampling_rate(user.tenant_id, Standing(reviewed=clean(11), strata={}, days=3.0)) != row
    assert SamplingRate.objects.count() == 2


def test_the_low_policy_holds_for_what_it_was_proven_of(user):
    run = make_run(user)
    assert set_sampling_rate(user.tenant_id, proven()).policy == LOW_POLICY
    many = set_rate(user, 0.001, policy=LOW_POLICY, accepted=14_900, accepted_rate=0.01)
    assert find_rates(run).accepted == many.accepted_rate
    huge = set_rate(user, 0.001, policy=LOW_POLICY, accepted=1_000_000)
    assert find_rates(run).accepted == huge.accepted_rate
    assert find_rates(make_run(user, prompt_version="en-2")).accepted == 0.01
    assert find_rates(make_run(user, model="gpt-9")).accepted == 0.01
    PatternVersion.objects.update_or_create(pk=1, defaults={"number": 99, "changed_at": run.created_at})
    assert find_rates(run).accepted == 0.01, "the patterns are new"


def test_a_tenant_has_odds_of_its_own(user):
    set_rate(user, 0.001)
    other = make_run(make_player("other"))
    assert find_rates(other).accepted == 1


@pytest.mark.parametrize(
    "broken", [{"policy": 0}, {"accepted_rate": 1.1}, {"errors": 3, "reviewed": 2}, {"reason": ""}]
)
def test_the_database_refuses_odds_that_make_no_sense(user, broken):
    with pytest.raises(IntegrityError):
        set_rate(user, 0.1, **broken)


def test_a_setting_stays_as_it_is(user):
    set_rate(user, 0.1)
    with pytest.raises(IntegrityError, match="sampling_rate_append_only"), transaction.atomic():
        SamplingRate.objects.update(reason="another")
