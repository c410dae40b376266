"""The figures of the quality page by REST: what it says, what it does not say of little, and to whom."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from factcheck.extraction.actions.breakers import pause_by_hand
from reviews.quality.actions.judgements import judge_tenant
from tenancy.models import EndUser
from tests.api.conftest import make_api, problem, world  # noqa: F401 - the fixtures of REST
from tests.factcheck.extraction.rows import make_deltas, make_player, make_run
from tests.factories.people import make_member
from tests.reviews.quality.rows import label_many

PATH = "extraction/quality"


@pytest.fixture
def user(tenant):
    tenant.extraction = "on"
    tenant.save()
    return EndUser.objects.create(tenant=tenant, external_id="ada")


@pytest.fixture
def reader(make_api, user):  # noqa: F811
    return make_api("read")


def test_of_nothing_nothing_is_said(reader):
    assert reader.get(PATH).json() == {
        "days": 30, "extraction": "on", "paused": False, "error_rates": [], "breakers": [], "counts": [],
        "parity": [], "muted_confidences": [], "held_runs": 0,
    }  # fmt: skip


def test_rates_come_with_their_interval_and_below_thirty_with_none(reader, user, rob):
    label_many(user, rob, 38, 2)
    label_many(user, rob, 9, 1, language="ar")
    whole, *languages = reader.get(PATH, {"days": 14}).json()["error_rates"]
    rates = {rate["language"]: rate for rate in languages}
    assert (whole["language"], whole["reviewed"], whole["wrong"]) == ("all", 50, 3)
    english = rates["en"]
    assert (english["finding"], english["error_rate"]) == ("estimated", pytest.approx(0.05))
    assert 0 < english["lower"] < 0.05 < english["upper"] <= 0.2
    assert rates["ar"] == {
        "language": "ar", "reviewed": 10, "wrong": 1, "finding": "not_enough_data", "error_rate": None, "lower": None,
        "upper": None, "ceiling": None,
    }  # fmt: skip


def test_parity_and_counts_are_those_of_the_page(reader, user, rob):
    label_many(user, rob, 59, 1)
    label_many(user, rob, 21, 9, language="ar")
    label_many(user, rob, 3, 0, language="zh")
    make_deltas(make_run(user), 2, verdict="rejected_subject")
    found = reader.get(PATH).json()
    parity = {each["language"]: each for each in found["parity"]}
    assert (parity["ar"]["finding"], parity["zh"]["finding"]) == ("different", "not_enough_data")
    assert parity["ar"]["p_value"] < 0.001
    assert parity["zh"]["p_value"] is None
    counts = {each["language"]: each for each in found["counts"]}
    assert (counts["en"]["proposed"], counts["en"]["gated"], counts["en"]["reviewed"]) == (62, 60, 60)


def test_breakers_and_muted_confidences_are_told_as_they_stand(reader, user, rob):
    label_many(user, rob, 10, 10, confidence=0.82)
    judge_tenant(user.tenant_id)
    found = reader.get(PATH).json()
    assert found["paused"]
    opened = {(each["kind"], each["language"]): each for each in found["breakers"]}
    assert (opened["reviews", "en"]["state"], opened["reviews", "en"]["wrong"]) == ("open", 10)
    assert found["muted_confidences"] == [
        {"version": "offline en-1", "confidence_from": 0.8, "reviewed": 20, "right": 10}
    ]


def test_another_tenant_is_not_told_of(reader, user):
    other = make_player("other")
    person = make_member(other.tenant, "eve")
    label_many(other, person, 40, 0)
    pause_by_hand(other.tenant_id, made_by="eve", reason="Mine.")
    found = reader.get(PATH).json()
    assert (found["error_rates"], found["breakers"], found["counts"]) == ([], [], [])


def test_it_takes_a_key_of_the_whole_tenant_that_may_read(make_api, user, world, problem):  # noqa: F811
    problem(make_api("read", world_id=world.pk).get(PATH), 403, "tenant_key_required")
    problem(make_api("editor").get(PATH), 403, "scope_missing")


@pytest.mark.parametrize("days", ["0", "91", "x"])
def test_bad_periods_are_refused(reader, days, problem):  # noqa: F811
    problem(reader.get(PATH, {"days": days}), 400, "parameter_invalid")


def test_more_labels_take_no_more_queries(reader, user, rob):
    label_many(user, rob, 1, 1)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            reader.get(PATH)
        counts.append(len(asked))
        label_many(user, rob, 30, 3, language="ar")
    assert counts[0] == counts[1]
