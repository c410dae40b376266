"""What the database refuses of labels, leases, skips, gold items and golden cases, past the ORM."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from factcheck.extraction.models import ExtractionSample
from reviews.models import GoldenCase, GoldItem, SampleLabel, SampleLease, SampleSkip
from tenancy.models import EndUser, Membership, Tenant
from tests.database import assert_refused
from tests.factories.conversations import open_chat
from tests.factories.people import make_member
from tests.reviews.labelling.items import make_run_sample, make_sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant():
    return Tenant.objects.create(slug="t", name="t")


@pytest.fixture
def other():
    return Tenant.objects.create(slug="other", name="other")


@pytest.fixture
def rita(tenant):
    return make_member(tenant, "rita", "labeller")


@pytest.fixture
def sample(tenant):
    return make_sample(open_chat(tenant))


def make_label(of, reviewer, verdict="correct", **more):
    return SampleLabel.objects.create(
        **{"tenant": of.tenant, "sample": of, "reviewer": reviewer, "verdict": verdict, **more}
    )


def make_gold(**more):
    values = {"slug": "g", "language": "en", "kind": "delta", "content": {}, "verdict": "correct", "is_planted": False}
    return GoldItem.objects.create(**{**values, "reason": "It is said outright.", **more})


def is_refused(rule, make):
    with pytest.raises(IntegrityError, match=rule), transaction.atomic():
        make()


def test_a_reviewer_has_one_live_label_of_a_sample(sample, rita):
    first = make_label(sample, rita)
    is_refused("sample_label_one_live", lambda: make_label(sample, rita, "wrong_value"))
    SampleLabel.objects.filter(pk=first.pk).update(undone_at=timezone.now())
    make_label(sample, rita, "wrong_value")
    make_label(sample, make_member(sample.tenant, "bela", "labeller"))


def test_a_label_is_undone_once_and_loses_its_comment_at_most(sample, rita):
    label = make_label(sample, rita, comment="He says nickel.")
    table = "reviews_samplelabel"
    for change in ("verdict = 'wrong_value'", "comment = 'other'", "weight = 0.5", "is_late = true"):
        assert_refused("append_only", f"UPDATE {table} SET {change} WHERE id = %s", [label.pk])
    assert_refused("append_only", f"DELETE FROM {table}")
    assert SampleLabel.objects.update(comment="") == 1
    assert SampleLabel.objects.update(undone_at=timezone.now()) == 1
    assert_refused("append_only", f"UPDATE {table} SET undone_at = NULL WHERE id = %s", [label.pk])
    assert_refused("append_only", f"UPDATE {table} SET undone_at = now() + '1 s' WHERE id = %s", [label.pk])


@pytest.mark.parametrize("verdict", ["missed", "nothing_missed"])
def test_a_verdict_fits_its_kind(sample, rita, verdict):
    missed_in = sample.delta.evidence[0] if verdict == "missed" else None
    is_refused("sample_label_fits_kind", lambda: make_label(sample, rita, verdict, missed_message_id=missed_in))
    run = make_run_sample(open_chat(sample.tenant))
    is_refused("sample_label_fits_kind", lambda: make_label(run, rita, "correct"))
    make_label(run, rita, "cannot_tell")


def test_what_was_missed_stands_in_a_message_of_the_run(tenant, sample, rita):
    run = make_run_sample(open_chat(tenant))
    is_refused("sample_label_says_what_was_missed", lambda: make_label(run, rita, "missed"))
    strange = sample.delta.evidence[0]
    is_refused("sample_label_message_of_run", lambda: make_label(run, rita, "missed", missed_message_id=strange))
    own = run.run.message_rows.order_by("message_id").last().message_id
    make_label(run, rita, "missed", missed_message_id=own)


def test_a_label_is_of_a_sample_of_its_tenant_or_of_gold(sample, rita, other):
    is_refused("sample_label_same_tenant", lambda: make_label(sample, rita, tenant=other))
    is_refused("sample_label_of_one_thing", lambda: make_label(sample, rita, gold=make_gold()))
    gold = GoldItem.objects.create(
        slug="r", language="en", kind="run", content={}, verdict="missed", is_planted=True, reason="x"
    )
    is_refused(
        "sample_label_of_one_thing",
        lambda: make_label(sample, rita, "missed", sample=None, gold=gold, missed_message_id=1),
    )
    made = {"sample": None, "gold": gold, "is_gold_check": True}
    is_refused("sample_label_fits_kind", lambda: make_label(sample, rita, **made))
    make_label(sample, rita, "missed", missed_message_id=1, **made)


def test_what_is_gone_is_not_labelled(sample, rita):
    type(sample).objects.update(is_gone=True)
    is_refused("sample_label_not_of_gone", lambda: make_label(sample, rita))


def test_one_lease_a_person_and_item(sample, rita, other):
    ends = timezone.now() + dt.timedelta(minutes=15)
    lease = {"sample": sample, "reviewer": rita, "expires_at": ends}
    is_refused("sample_lease_same_tenant", lambda: SampleLease.objects.create(tenant=other, **lease))
    SampleLease.objects.create(tenant=sample.tenant, **lease)
    is_refused("sample_lease_unique", lambda: SampleLease.objects.create(tenant=sample.tenant, **lease))
    is_refused(
        "sample_lease_of_one_thing",
        lambda: SampleLease.objects.create(tenant=sample.tenant, reviewer=rita, expires_at=ends),
    )
    bela = make_member(sample.tenant, "bela", "labeller")
    earlier = {**lease, "reviewer": bela, "expires_at": timezone.now() - dt.timedelta(minutes=1)}
    is_refused("sample_lease_ends_later", lambda: SampleLease.objects.create(tenant=sample.tenant, **earlier))


def test_one_skip_a_person_and_item(sample, rita, other):
    skip = {"sample": sample, "reviewer": rita}
    is_refused("sample_skip_same_tenant", lambda: SampleSkip.objects.create(tenant=other, **skip))
    SampleSkip.objects.create(tenant=sample.tenant, **skip)
    is_refused("sample_skip_unique", lambda: SampleSkip.objects.create(tenant=sample.tenant, **skip))


def test_a_gold_item_has_an_answer_that_fits():
    is_refused("gold_item_verdict_fits", lambda: make_gold(verdict="missed", is_planted=True))
    is_refused("gold_item_verdict_fits", lambda: make_gold(verdict="cannot_tell", is_planted=True))
    is_refused("gold_item_planted_is_wrong", lambda: make_gold(is_planted=True))
    is_refused("gold_item_is_told", lambda: make_gold(reason=""))


def test_a_golden_case_is_told_or_forgotten_for_good(sample, rita, other):
    label = make_label(sample, rita, "wrong_value")
    owner = {"tenant": sample.tenant, "end_user": sample.end_user, "label": label, "made_by": rita}
    strange = {**owner, "end_user": EndUser.objects.create(tenant=other, external_id="x")}
    is_refused("golden_case_same_tenant", lambda: GoldenCase.objects.create(**strange, line={"a": 1}))
    is_refused("golden_case_forgotten_or_told", lambda: GoldenCase.objects.create(**owner, line=None))
    case = GoldenCase.objects.create(**owner, line={"a": 1})
    assert_refused("stays_forgotten", "UPDATE reviews_goldencase SET line = '{}' WHERE id = %s", [case.pk])
    assert_refused("stays_forgotten", "DELETE FROM reviews_goldencase")
    GoldenCase.objects.update(line=None, forgotten_at=timezone.now())
    assert_refused("stays_forgotten", "UPDATE reviews_goldencase SET line = '{}', forgotten_at = NULL")


def test_one_sample_in_ten_wants_two_labels(tenant):
    talk = open_chat(tenant)
    for place in range(40):
        make_run_sample(talk, "Hello.", labels_wanted=0, id=9000 + place)
    wanted = list(ExtractionSample.objects.values_list("labels_wanted", flat=True))
    assert set(wanted) == {1, 2}
    assert 2 <= wanted.count(2) <= 8


def test_the_role_of_labellers_is_known_and_no_other_is_invented(tenant, rita):
    assert Membership.objects.get(user=rita).role == "labeller"
    is_refused("membership_role_known", lambda: Membership.objects.update(role="guest"))
