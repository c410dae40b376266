"""Golden queries change with a reason, and those that can close a gate by two persons."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from reviews.errors import (
    FourEyes,
    GoldenChangePending,
    GoldenQueryChanged,
    NotYourRequest,
    ReasonRequired,
    RoleRequired,
    UnknownGoldenQuery,
    WrongState,
)
from reviews.golden.actions.changes import (
    approve_golden_change,
    change_golden_query,
    create_golden_query,
    delete_golden_query,
    reject_golden_change,
    withdraw_golden_change,
)
from reviews.golden.actions.gate import run_golden
from reviews.golden.core.queries import is_guarded, read_columns
from reviews.golden.selectors import have_queries_changed
from reviews.models import AuditEntry, GoldenChange, GoldenQuery
from tests.factories.canon import article
from tests.factories.change_requests import Selmar, make_actor

pytestmark = pytest.mark.django_db


def ask(selmar: Selmar, key: str = "bell", **columns: Any) -> GoldenQuery:
    wanted = {"query": "bronze bell", "language": "en", "must_hit": ["bell"]} | columns
    return create_golden_query(actor=selmar.editor, domain_index_id=selmar.index.pk, key=key, columns=wanted)


@pytest.mark.parametrize(
    "columns",
    [
        {"active": False}, {"must_hit": []}, {"must_hit": ["bell", "gong"]}, {"k": 50}, {"query": "anything"},
        {"npc_id": "oda"}, {"language": "ru"}, {"must_not_hit": ["gong"]}, {"relevant": {"bell": 1}},
    ],
)  # fmt: skip
def test_guard_changes_only_by_a_second_persons_word(selmar: Selmar, columns: dict[str, Any]):
    query = ask(selmar, relevant={"bell": 3})
    before = read_columns(query)
    with pytest.raises(ReasonRequired):
        change_golden_query(actor=selmar.owner, query_id=query.pk, columns=columns, reason=" ")
    change = change_golden_query(actor=selmar.owner, query_id=query.pk, columns=columns, reason="It is in the way")
    query.refresh_from_db()
    assert read_columns(query) == before
    with pytest.raises(FourEyes):
        approve_golden_change(actor=selmar.owner, change_id=change.pk)
    with pytest.raises(RoleRequired):
        approve_golden_change(actor=selmar.editor, change_id=change.pk)
    approve_golden_change(actor=selmar.reviewer, change_id=change.pk)
    query.refresh_from_db()
    assert read_columns(query) == before | columns
    entry = AuditEntry.objects.get(action__in=["golden_query.changed", "golden_query.switched_off"])
    assert (entry.reason, entry.details["before"], entry.details["after"]) == (
        "It is in the way", before, before | columns,
    )  # fmt: skip
    assert (entry.actor_label, entry.details["author"]) == (selmar.reviewer.label, selmar.owner.label)


def test_what_guards_nothing_needs_a_reason_only(selmar: Selmar):
    graded = ask(selmar, "graded", must_hit=[], relevant={"bell": 3})
    change_golden_query(actor=selmar.editor, query_id=graded.pk, columns={"k": 5}, reason="Five are shown")
    guard = ask(selmar, "guard")
    change_golden_query(actor=selmar.editor, query_id=guard.pk, columns={"note": "Ask Oda"}, reason="A hint")
    graded.refresh_from_db()
    guard.refresh_from_db()
    assert (graded.k, guard.note, guard.version) == (5, "Ask Oda", 2)
    delete_golden_query(actor=selmar.editor, query_id=graded.pk, reason="Nobody asks it")
    entry = AuditEntry.objects.get(action="golden_query.deleted")
    assert (entry.details["before"]["k"], entry.details["after"]) == (5, None)


def test_switched_off_guard_may_be_switched_on_by_one_person(selmar: Selmar):
    query = ask(selmar, active=False)
    change_golden_query(actor=selmar.editor, query_id=query.pk, columns={"active": True}, reason="Guard it again")
    query.refresh_from_db()
    assert query.active


def test_deletion_of_a_guard_waits_and_can_be_refused_or_withdrawn(selmar: Selmar):
    query = ask(selmar)
    change = delete_golden_query(actor=selmar.editor, query_id=query.pk, reason="It is in the way")
    with pytest.raises(GoldenChangePending):
        change_golden_query(actor=selmar.editor, query_id=query.pk, columns={"active": False}, reason="This way, then")
    with pytest.raises(ReasonRequired):
        reject_golden_change(actor=selmar.reviewer, change_id=change.pk, reason="")
    reject_golden_change(actor=selmar.reviewer, change_id=change.pk, reason="It guards the bell")
    with pytest.raises(WrongState):
        approve_golden_change(actor=selmar.reviewer, change_id=change.pk)
    second = delete_golden_query(actor=selmar.editor, query_id=query.pk, reason="It is in the way")
    with pytest.raises(NotYourRequest):
        withdraw_golden_change(actor=selmar.reviewer, change_id=second.pk)
    withdraw_golden_change(actor=selmar.editor, change_id=second.pk)
    assert GoldenQuery.objects.filter(pk=query.pk).exists()


def test_approval_holds_for_what_was_read(selmar: Selmar):
    query = ask(selmar)
    change = change_golden_query(actor=selmar.editor, query_id=query.pk, columns={"active": False}, reason="Away")
    change_golden_query(actor=selmar.owner, query_id=query.pk, columns={"note": "Keep it"}, reason="A hint")
    with pytest.raises(GoldenQueryChanged):
        approve_golden_change(actor=selmar.reviewer, change_id=change.pk)
    with pytest.raises(GoldenQueryChanged):
        change_golden_query(
            actor=selmar.editor, query_id=query.pk, columns={"note": ""}, reason="x", expected_version=1
        )


def test_database_refuses_changes_without_their_row(selmar: Selmar):
    query, graded = ask(selmar), ask(selmar, "graded", must_hit=[], relevant={"bell": 3})
    for rows, rule in (
        (GoldenQuery.objects.filter(pk=query.pk), "golden_query_guarded"),
        (GoldenQuery.objects.filter(pk=graded.pk), "golden_query_changed_with_reason"),
    ):
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            rows.update(active=False)
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            rows.delete()
    change_golden_query(actor=selmar.editor, query_id=graded.pk, columns={"k": 5}, reason="Five are shown")
    with pytest.raises(IntegrityError, match="golden_change_four_eyes"), transaction.atomic():
        forge(selmar, query, decided_by_id=selmar.editor.user_id)
    with pytest.raises(IntegrityError, match="golden_change_has_reason"), transaction.atomic():
        forge(selmar, query, decided_by_id=selmar.reviewer.user_id, reason="")
    with pytest.raises(IntegrityError, match="golden_change_stays"), transaction.atomic():
        GoldenChange.objects.all().delete()
    with pytest.raises(IntegrityError, match="golden_change_decided_once"), transaction.atomic():
        GoldenChange.objects.update(reason="Another one")


@pytest.mark.django_db(transaction=True)
def test_word_of_an_earlier_transaction_opens_nothing(selmar: Selmar):
    query = ask(selmar)
    with transaction.atomic():
        forge(selmar, query, decided_by_id=selmar.reviewer.user_id)
    with pytest.raises(IntegrityError, match="golden_query_guarded"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM reviews_goldenquery")


def forge(selmar: Selmar, query: GoldenQuery, **values: Any) -> GoldenChange:
    return GoldenChange.objects.create(
        **{
            "tenant": selmar.tenant, "domain_index": selmar.index, "key": query.key, "query_version": 1,
            "operation": "delete", "before": {}, "reason": "x", "guards": True, "state": "applied",
            "author_id": selmar.editor.user_id, "author_label": "editor", **values,
        }
    )  # fmt: skip


def test_board_knows_that_the_queries_are_others_than_those_of_the_run(selmar: Selmar):
    selmar.publish(article("bell", "The bronze bell rings."))
    query = ask(selmar)
    run = run_golden(actor=selmar.editor, domain_index_id=selmar.index.pk)
    assert not have_queries_changed(run)
    change_golden_query(actor=selmar.editor, query_id=query.pk, columns={"note": "Ask Oda"}, reason="A hint")
    assert not have_queries_changed(run)
    ask(selmar, "gong", must_hit=["bell"])
    assert have_queries_changed(run)


def test_another_tenant_sees_and_decides_nothing(selmar: Selmar, other_studio: Selmar):
    query = ask(selmar)
    change = change_golden_query(actor=selmar.editor, query_id=query.pk, columns={"active": False}, reason="Away")
    for attempt in (
        lambda: change_golden_query(actor=other_studio.owner, query_id=query.pk, columns={"k": 1}, reason="x"),
        lambda: delete_golden_query(actor=other_studio.owner, query_id=query.pk, reason="x"),
        lambda: approve_golden_change(actor=other_studio.owner, change_id=change.pk),
        lambda: reject_golden_change(actor=other_studio.owner, change_id=change.pk, reason="x"),
    ):
        with pytest.raises(UnknownGoldenQuery):
            attempt()


def test_second_reviewer_of_the_same_tenant_may_decide_on_the_first_ones(selmar: Selmar):
    query = ask(selmar)
    second = make_actor(selmar.tenant, "second-reviewer", "reviewer")
    change = change_golden_query(actor=selmar.reviewer, query_id=query.pk, columns={"active": False}, reason="Away")
    approve_golden_change(actor=second, change_id=change.pk, comment="True")
    query.refresh_from_db()
    assert not query.active


def test_tags_and_notes_guard_nothing():
    before = {
        "query": "bell", "language": "en", "must_hit": ["bell"], "must_not_hit": [], "relevant": {}, "k": 8,
        "npc_id": "", "tags": [], "note": "", "active": True,
    }  # fmt: skip
    assert not is_guarded(before, {**before, "tags": ["x"], "note": "y"})
    assert is_guarded(before, None)
    assert not is_guarded({**before, "active": False}, None)
    assert not is_guarded({**before, "must_hit": []}, None)
