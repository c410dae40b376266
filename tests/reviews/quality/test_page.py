"""The quality page: its figures, its files, its switches, and who may see them."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from factcheck.extraction.actions.breakers import judge_review_breaker
from factcheck.extraction.run_mode import find_run_mode
from factcheck.models import BreakerEvent
from knowledge.facts.actions import Correction, deactivate_fact
from reviews.quality.admin.sections import KEYS, build_section, build_sections
from reviews.quality.core.charts import Point, chart_bars, chart_intervals, chart_trend
from reviews.quality.core.tables import Column, ColumnKind, Table, print_cell, write_csv
from tenancy.actions.keys import issue_api_key
from tests.factcheck.extraction.rows import make_batch_facts, make_deltas, make_player, make_run, set_rate
from tests.factories.people import make_member, sign_in
from tests.reviews.quality.rows import label, label_gold, label_many, make_samples

pytestmark = pytest.mark.django_db


def page_of(user):
    return reverse("admin:quality_of_tenant", args=[user.tenant_id])


def rows_of(user, key, days=30):
    table = build_section(user.tenant_id, days, key).table
    names = [column.key for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def open_breaker(user):
    outcomes = [False] * 16 + [True] * 4
    return judge_review_breaker(None, tenant_id=user.tenant_id, language="en", outcomes=outcomes)


def fill(user, person):
    """A little of everything."""
    label_many(user, person, 38, 2)
    label_many(user, person, 30, 10, language="ar")
    run = make_run(user, input_tokens=900, output_tokens=100, cost_usd="0.0125")
    make_deltas(run, 4, verdict="rejected_subject")
    make_batch_facts(run, 3)
    set_rate(user, 0.5)
    open_breaker(user)


def test_without_labels_each_part_says_what_to_do(user, rob):
    html = sign_in(rob).get(page_of(user)).content.decode()
    assert html.count("m-empty") == len(KEYS)
    assert "Switch extraction on for the tenant" in html
    assert "Open Label extractions and label what was drawn" in html
    assert "<svg viewBox" not in html.split('id="error_rate"')[1]


def test_error_rates_are_weighted_by_the_odds(user, rob):
    label_many(user, rob, 10, 0, reason="floor")
    label_many(user, rob, 0, 1, probability=0.01)
    (whole, english) = rows_of(user, "error_rate")
    assert (whole["language"], english["language"]) == ("all", "en")
    assert (whole["reviewed"], whole["wrong"]) == (11, 1)
    assert whole["error_rate"] == pytest.approx(100 / 110)


def test_the_funnel_counts_each_step(user, rob):
    run = make_run(user)
    make_deltas(run, 4, verdict="rejected_subject")
    make_batch_facts(run, 3)
    label(make_samples(run, 1)[0], rob)
    (row,) = rows_of(user, "funnel")
    assert row == {
        "language": "en", "proposed": 8, "gated": 4, "shadowed": 0, "candidates": 1, "facts": 3, "reviewed": 1,
    }  # fmt: skip
    section = build_section(user.tenant_id, 30, "funnel")
    assert [bar.text for bar in section.chart.bars] == ["8", "4", "1", "3", "1"]
    assert rows_of(user, "refusals") == [{"code": "rejected_subject", "count": 4, "share": 1.0}]


def test_denials_are_told_with_what_they_prove(user):
    facts = make_batch_facts(make_run(user), 100)
    for fact in facts[:4]:
        correction = Correction(type="user_denied", trigger_message_id=1, basis="explicit")
        deactivate_fact(tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact.pk, correction=correction)
    make_batch_facts(make_run(user, language="ar"), 2)
    whole, arabic, english = rows_of(user, "denials")
    assert (english["facts"], english["denied"], english["share"]) == (100, 4, 0.04)
    assert english["finding"] == "more than 1 %: look at the log of corrections"
    assert arabic["finding"] == "not enough data: fewer than 30 facts"
    assert whole["facts"] == 102


def test_cost_is_told_a_player_a_month(user):
    make_run(user, input_tokens=900, output_tokens=100, cost_usd="0.02")
    make_run(make_player(name="bo"), cost_usd="0.01")
    make_run(user, state="failed", failed=1, nothing=0, error_code="model_unusable")
    (row,) = rows_of(user, "cost")
    assert (row["runs"], row["failed"], row["users"], row["input_tokens"], row["cost_usd"]) == (3, 1, 2, 900, 0.03)
    assert build_section(user.tenant_id, 30, "cost").table.notes == (
        "1.50 cents a player a month (2 players, US$ 0.03 in 30 days).",
    )


def test_parity_says_when_there_is_too_little(user, rob):
    label_many(user, rob, 59, 1)
    label_many(user, rob, 20, 9, language="ar")
    assert rows_of(user, "parity")[0]["finding"] == "not enough data: fewer than 30 of one"
    label_many(user, rob, 1, 0, language="ar")
    (row,) = rows_of(user, "parity")
    assert (row["language"], row["reviewed"], row["finding"]) == ("ar", 30, "different")
    assert row["p_value"] < 0.001


def test_people_their_pace_and_their_gold(user, rob):
    label_many(user, rob, 4, 1)
    label_gold(user, rob, planted=True, verdicts=["wrong_value", "wrong_person", "correct"])
    label_gold(user, rob, planted=False, verdicts=["correct"])
    (row,) = rows_of(user, "reviewers")
    assert (row["reviewer"], row["labels"], row["right"], row["wrong"], row["median_seconds"]) == ("rob", 5, 4, 1, 5)
    assert row["gold_errors_found"] == "2 of 3 (21% to 94%)"
    assert row["gold_right_passed"] == "1 of 1 (21% to 100%)"


def test_agreement_is_of_items_with_two_labels(user, rob):
    sam = make_member(user.tenant, "sam")
    samples = make_samples(make_run(user), 4)
    for sample, (first, second) in zip(
        samples,
        [("correct", "correct"), ("wrong_value", "not_meant"), ("correct", "wrong_person"), ("correct", "cannot_tell")],
        strict=True,
    ):
        label(sample, rob, first)
        label(sample, sam, second)
        type(sample).objects.filter(pk=sample.pk).update(label_count=2)
    label(make_samples(make_run(user), 1)[0], rob)
    whole, english = rows_of(user, "agreement")
    assert (english["pairs"], english["both_right"], english["both_wrong"], english["second_wrong"]) == (3, 1, 1, 1)
    assert whole["raw"] == pytest.approx(2 / 3)


def test_what_was_missed_is_of_whole_runs_and_of_refusals(user, rob):
    from factcheck.extraction.models import ExtractionSample, RunMessage

    for place, verdict in enumerate(["missed", "nothing_missed", "cannot_tell"]):
        run = make_run(user)
        RunMessage.objects.create(run=run, message_id=place + 1, outcome="nothing")
        sample = ExtractionSample.objects.create(
            tenant_id=user.tenant_id, end_user=user, kind="run", run=run, reason="random", probability=0.5, stratum="r"
        )
        label(sample, rob, verdict, missed_message_id=1 if verdict == "missed" else None)
    label_many(user, rob, 1, 3, verdict="rejected_subject")
    runs, refused = rows_of(user, "missed")
    assert (runs["reviewed"], runs["found"]) == (2, 1)
    assert (refused["reviewed"], refused["found"]) == (4, 1)


def test_the_page_draws_charts_with_their_words(user, rob):
    fill(user, rob)
    html = sign_in(rob).get(page_of(user)).content.decode()
    titles = re.findall(
        r'<svg viewBox="0 0 420 [\d.]+" role="img" aria-labelledby="([\w-]+)">\s*<title id="([\w-]+)">', html
    )
    assert [each[0] for each in titles] == [each[1] for each in titles] == ["chart-error-rate", "chart-funnel"]
    assert "ar: 25.0% wrong, 12.7% to 41.2%, 10 of 40" in html
    assert "Extraction has stopped" in html
    assert "NaN" not in html
    assert len(re.findall(r' id="([^"]+)"', html)) == len(set(re.findall(r' id="([^"]+)"', html)))


def test_the_period_is_chosen(user, rob):
    sample = make_samples(make_run(user), 1)[0]
    label(sample, rob, created_at=timezone.now() - dt.timedelta(days=20))
    assert rows_of(user, "error_rate", 14) == []
    assert len(rows_of(user, "error_rate", 30)) == 2
    assert 'href="?days=14" aria-current="page"' in sign_in(rob).get(page_of(user), {"days": "14"}).content.decode()
    assert sign_in(rob).get(page_of(user), {"days": "-1"}).status_code == 200


@pytest.mark.parametrize("key", KEYS)
def test_every_table_comes_as_csv(user, rob, key):
    fill(user, rob)
    answer = sign_in(rob).get(reverse("admin:quality_csv", args=[user.tenant_id, key]))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="studio-{key}-30d.csv"'
    head, *rows = csv.reader(io.StringIO(answer.content.decode()))
    table = build_section(user.tenant_id, 30, key).table
    assert head == [column.key for column in table.columns]
    assert len(rows) == len(table.rows)


def test_csv_holds_bare_values_and_no_formula():
    columns = (Column("a", "A", ColumnKind.SHARE), Column("b", "B"), Column("c", "C", ColumnKind.TIME))
    at = dt.datetime(2026, 5, 1, 12, tzinfo=dt.UTC)
    table = Table("t", "T", "", "", columns, [(0.0312345678, "=1+1", at), (None, 'say "hi"', None), (-0.5, "ok", at)])
    head, first, second, third = csv.reader(io.StringIO(write_csv(table)))
    assert head == ["a", "b", "c"]
    assert first == ["0.0312346", "'=1+1", "2026-05-01T12:00:00+00:00"]
    assert second == ["", 'say "hi"', ""]
    assert third[0] == "-0.5"
    assert print_cell(ColumnKind.SHARE, 0.0312) == "3.1%"
    assert print_cell(ColumnKind.COUNT, None) == "–"


def test_there_is_no_table_of_another_name(user, rob):
    assert sign_in(rob).get(reverse("admin:quality_csv", args=[user.tenant_id, "secrets"])).status_code == 404


@pytest.mark.parametrize("role", ["labeller", "editor"])
def test_labellers_and_editors_see_no_figures(user, role):
    person = sign_in(make_member(user.tenant, "eve", role))
    assert person.get(page_of(user)).status_code in (403, 404)
    assert person.get(reverse("admin:quality_csv", args=[user.tenant_id, "error_rate"])).status_code in (403, 404)


def test_figures_of_another_tenant_are_not_there(user, rob):
    other = make_player("other")
    stranger = sign_in(make_member(other.tenant, "sam", "owner"))
    assert stranger.get(page_of(user)).status_code == 404
    assert stranger.get(reverse("admin:quality_csv", args=[user.tenant_id, "error_rate"])).status_code == 404
    assert stranger.post(reverse("admin:pause_extraction", args=[user.tenant_id]), {"reason": "x"}).status_code == 404
    event = open_breaker(user)
    resume = reverse("admin:resume_extraction", args=[event.pk])
    assert stranger.post(resume, {"reason": "x", "state": "closed"}).status_code == 404
    assert BreakerEvent.objects.count() == 1


def test_one_tenant_leads_straight_to_its_figures(user, rob):
    assert sign_in(rob).get(reverse("admin:quality")).url == page_of(user)
    make_player("other")
    operator = sign_in(type(rob).objects.create_superuser("operator"))
    assert "Whose figures?" in operator.get(reverse("admin:quality")).content.decode()


def test_an_owner_tries_and_resumes_from_the_page(user):
    owner = sign_in(make_member(user.tenant, "olga", "owner"))
    event = open_breaker(user)
    resume = reverse("admin:resume_extraction", args=[event.pk])
    owner.post(resume, {"reason": "", "state": "half_open"})
    assert find_run_mode(tenant_id=user.tenant_id, language="en") is None
    answer = owner.post(resume, {"reason": "a new prompt", "state": "half_open"}, follow=True)
    assert "On trial: 50 proposals are reviewed" in answer.content.decode()
    assert find_run_mode(tenant_id=user.tenant_id, language="en") == "trial"
    assert "is not in the state that you saw" in owner.post(resume, {"reason": "late"}, follow=True).content.decode()


def test_a_reviewer_sees_the_switch_of_nobody(user, rob):
    event = open_breaker(user)
    client = sign_in(rob)
    assert "An owner may resume it" in client.get(page_of(user)).content.decode()
    client.post(reverse("admin:resume_extraction", args=[event.pk]), {"reason": "please", "state": "closed"})
    client.post(reverse("admin:pause_extraction", args=[user.tenant_id]), {"reason": "please"})
    assert BreakerEvent.objects.count() == 1


def test_an_owner_stops_it_from_the_page(user):
    owner = sign_in(make_member(user.tenant, "olga", "owner"))
    owner.post(reverse("admin:pause_extraction", args=[user.tenant_id]), {"reason": "the model changed"})
    assert find_run_mode(tenant_id=user.tenant_id, language="ar") is None
    assert "the model changed" in owner.get(page_of(user)).content.decode()


def test_status_says_that_extraction_is_paused(user, client):
    key = issue_api_key(tenant_id=user.tenant_id, name="game", scopes=["read"])
    ask = {"HTTP_AUTHORIZATION": f"Bearer {key.text}", "HTTP_X_TENANT_ID": "studio"}
    assert "extraction_paused" not in client.get("/api/v1/status", **ask).json()["degraded"]
    open_breaker(user)
    assert "extraction_paused" in client.get("/api/v1/status", **ask).json()["degraded"]


def test_home_says_that_extraction_has_stopped_to_those_whom_it_concerns(user, rob):
    open_breaker(user)
    told = "Extraction of studio has stopped"
    assert told in sign_in(rob).get(reverse("admin:index")).content.decode()
    editor = make_member(user.tenant, "eve", "editor")
    assert told not in sign_in(editor).get(reverse("admin:index")).content.decode()


def test_the_page_s_queries_do_not_grow_with_its_rows(user, rob):
    counts = []
    for _ in range(2):
        fill_more = label_many(user, rob, 20, 1)
        with CaptureQueriesContext(connection) as queries:
            build_sections(user.tenant_id, 30)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 24
    assert fill_more


def test_intervals_stand_in_their_chart():
    points = [Point("en", 0.03, 0.01, 0.07, "en"), Point("ar", 1.0, 0.9, 1.0, "ar")]
    chart = chart_intervals("k", "t", points, (0.02, 0.05))
    for span in chart.spans:
        assert 92 <= span.low <= span.x <= span.high <= 420
    assert [(mark.text, mark.is_limit) for mark in chart.marks] == [
        ("5%", True), ("", True), ("100%", False), ("", False),
    ]  # fmt: skip
    near = chart_intervals("k", "t", [Point("en", 0.03, 0.01, 0.05, "en")], (0.02, 0.05))
    assert [mark.text for mark in near.marks] == ["5%", "2%", "0%"]


def test_bars_and_trends_survive_nothing_and_one():
    assert [bar.width for bar in chart_bars("k", "t", [("a", 0), ("b", 0)]).bars] == [0, 0]
    assert chart_trend("k", "t", [Point("w", 0.1, 0.0, 0.3, "")]).line.count(",") == 1
    weeks = [Point(f"w{place}", 0.1, 0.0, 0.3, "") for place in range(13)]
    assert len(chart_trend("k", "t", weeks, (0.05,)).marks) <= 5
