"""What the database refuses of the second stage's tables, past the ORM."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from factcheck.extraction.models import (
    BreakerEvent,
    CandidateTransition,
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    ExtractionSample,
    FactCandidate,
    RunMessage,
    RunState,
)
from tenancy.models import EndUser, Tenant
from tests.database import assert_refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    tenant = Tenant.objects.create(slug="t", name="t")
    return EndUser.objects.create(tenant=tenant, external_id="ada")


def make_run(user: EndUser, **more: Any) -> ExtractionRun:
    values = {"triggered_by": "manual", "mode": "on", "proposer": "offline", "messages": 2, "range_hash": b"a" * 32}
    return ExtractionRun.objects.create(
        tenant=user.tenant, end_user=user, lease_until=timezone.now(), **{**values, **more}
    )


def make_delta(run: ExtractionRun, **more: Any) -> ExtractionDelta:
    values = {
        "position": 1, "operation": "ADD", "type": "allergy", "subject": "user", "stance": "asserts", "confidence": 0.9,
        "words_sealed": b"x", "sealed_by": 1, "evidence": [7], "verdict": "accepted", "outcome": DeltaOutcome.CANDIDATE,
    }  # fmt: skip
    return ExtractionDelta.objects.create(tenant=run.tenant, end_user=run.end_user, run=run, **{**values, **more})


def make_candidate(user: EndUser, **more: Any) -> FactCandidate:
    values = {
        "type": "allergy", "key_index": b"k", "value_index": b"v", "key_sealed": b"x", "value_sealed": b"y",
        "sealed_by": 1, "confidence": 0.9, "first_said_at": timezone.now(), "last_said_at": timezone.now(),
    }  # fmt: skip
    return FactCandidate.objects.create(tenant=user.tenant, end_user=user, **{**values, **more})


def test_a_user_is_in_one_run_at_a_time(user):
    make_run(user)
    with pytest.raises(IntegrityError, match="one_at_a_time"), transaction.atomic():
        make_run(user, range_hash=b"b" * 32)


def test_a_range_is_asked_about_once_under_a_prompt_unless_it_failed(user):
    over = {"finished_at": timezone.now(), "prompt_version": "en-1"}
    make_run(user, state="failed", failed=2, error_code="model_unavailable", **over)
    make_run(user, state="applied", nothing=2, **over)
    with pytest.raises(IntegrityError, match="extraction_run_once"), transaction.atomic():
        make_run(user, state="applied", nothing=2, **over)


def test_the_messages_of_a_finished_run_add_up(user):
    run = make_run(user)
    assert_refused(
        "extraction_run_messages_add_up",
        "UPDATE factcheck_extractionrun SET state = 'applied', finished_at = now(), extracted = 1 WHERE id = %s",
        [run.pk],
    )


def test_a_finished_run_stays_finished(user):
    run = make_run(user, state="applied", nothing=2, finished_at=timezone.now())
    assert_refused(
        "extraction_run_moves",
        "UPDATE factcheck_extractionrun SET state = 'claimed', finished_at = NULL WHERE id = %s",
        [run.pk],
    )


def test_a_stored_answer_goes_with_its_state(user):
    run = make_run(user, state=RunState.ANSWERED, answer_sealed=b"x")
    assert_refused(
        "extraction_run_keeps_no_answer",
        "UPDATE factcheck_extractionrun SET state = 'applied', nothing = 2, finished_at = now() WHERE id = %s",
        [run.pk],
    )


def test_a_run_belongs_to_a_user_of_its_tenant(user):
    other = Tenant.objects.create(slug="other", name="other")
    with pytest.raises(IntegrityError, match="same_tenant"), transaction.atomic():
        ExtractionRun.objects.create(
            tenant=other, end_user=user, triggered_by="manual", mode="on", proposer="offline", messages=1,
            range_hash=b"a", lease_until=timezone.now(),
        )  # fmt: skip


def test_a_message_that_was_refused_says_why(user):
    run = make_run(user)
    with pytest.raises(IntegrityError, match="run_message_outcome_is_told"), transaction.atomic():
        RunMessage.objects.create(run=run, message_id=1, outcome="rejected")


def test_a_delta_keeps_its_verdict_and_loses_its_words_for_good(user):
    delta = make_delta(make_run(user))
    table = "factcheck_extractiondelta"
    assert_refused("extraction_delta_append_only", f"UPDATE {table} SET verdict = 'rejected_subject'")
    assert_refused("extraction_delta_append_only", f"DELETE FROM {table}")
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET words_sealed = ''")
    assert_refused("extraction_delta_stays_empty", f"UPDATE {table} SET words_sealed = 'y' WHERE id = %s", [delta.pk])


def test_what_the_gate_rejected_led_to_nothing(user):
    with pytest.raises(IntegrityError, match="verdict_decides"), transaction.atomic():
        make_delta(make_run(user), verdict="rejected_subject", outcome="written")


def test_a_candidate_is_open_once_and_blocked_for_ever(user):
    candidate = make_candidate(user)
    with pytest.raises(IntegrityError, match="open_unique"), transaction.atomic():
        make_candidate(user)
    FactCandidate.objects.filter(pk=candidate.pk).update(state="blocked", key_sealed=b"", value_sealed=b"")
    assert_refused("fact_candidate", "UPDATE factcheck_factcandidate SET state = 'open' WHERE id = %s", [candidate.pk])


def test_a_promoted_candidate_names_its_fact(user):
    candidate = make_candidate(user)
    assert_refused(
        "fact_candidate_promoted_to_a_fact",
        "UPDATE factcheck_factcandidate SET state = 'promoted' WHERE id = %s",
        [candidate.pk],
    )


def test_logs_are_only_added_to(user):
    CandidateTransition.objects.create(
        candidate=make_candidate(user), old_state="open", new_state="rejected", made_by="eve", reason="a joke"
    )
    BreakerEvent.objects.create(
        tenant=user.tenant, kind="reviews", state="open", n=20, errors=5, lower=0.1, upper=0.5, rule="wilson",
        made_by="service", reason="5 of 20 were wrong",
    )  # fmt: skip
    for table in ("candidatetransition", "breakerevent"):
        assert_refused("append_only", f"UPDATE factcheck_{table} SET reason = 'other'")
        assert_refused("append_only", f"DELETE FROM factcheck_{table}")


def test_a_sample_is_drawn_once_and_can_only_go(user):
    delta = make_delta(make_run(user))
    drawn = {"kind": "delta", "reason": "random", "probability": 0.01, "stratum": "en ADD 1"}
    owner = {"tenant": user.tenant, "end_user": user, "run": delta.run, "delta": delta}
    ExtractionSample.objects.create(**owner, **drawn)
    with pytest.raises(IntegrityError, match="of_a_delta"), transaction.atomic():
        ExtractionSample.objects.create(**owner, **drawn)
    assert_refused("append_only", "UPDATE factcheck_extractionsample SET probability = 1")
    assert ExtractionSample.objects.update(is_gone=True) == 1
