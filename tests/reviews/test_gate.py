"""The golden gate: what opens it, what closes it, and what becomes of a worker that dies on the way."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from knowledge.canon.models import GateState, Release, ReleaseState
from knowledge.canon.selectors import search
from knowledge.errors import GateClosed, ReleaseNotReady
from memoryproject.errors import UnavailableError
from reviews import tasks
from reviews.core.actor import SYSTEM
from reviews.errors import GateNotFailed, ReasonRequired, RoleRequired
from reviews.golden.actions import runs as golden_runs
from reviews.golden.actions.changes import approve_golden_change
from reviews.golden.actions.gate import override_gate, rerun_gate, run_golden, run_golden_gate
from reviews.golden.actions.queries import import_golden_queries
from reviews.golden.selectors import find_last_run, list_waiting_changes, report_run
from reviews.models import AuditEntry, ChangeState, GoldenRun, GoldenRunState
from reviews.releases.actions.releases import swap_release
from reviews.releases.actions.stage import discard_stage, retry_staging, stage_approved
from reviews.releases.actions.sweeper import MAX_ATTEMPTS, sweep_stalled_releases
from tests.factories.canon import article
from tests.factories.change_requests import Selmar
from tests.loopback_openai import serve_openai

pytestmark = pytest.mark.django_db


def expect(selmar: Selmar, *queries: dict[str, Any]) -> None:
    import_golden_queries(
        actor=SYSTEM,
        domain_index_id=selmar.index.pk,
        queries=[{"id": f"q-{place}", "language": "en"} | query for place, query in enumerate(queries)],
        reason="The test expects something else now.",
    )
    for change in list_waiting_changes([selmar.index.pk]):
        approve_golden_change(actor=selmar.reviewer, change_id=change.pk)


BELL = article("bell", "The bronze bell rings at noon.")
GATE = article("gate", "The salt gate opens at dawn.")


def test_gate_passes_with_a_visible_note_when_there_are_no_golden_queries(selmar: Selmar):
    _, release = selmar.staged(BELL)
    run = find_last_run(selmar.index.pk, release_id=release.pk)
    assert release.gate_state == GateState.PASSED
    assert (run.state, run.note) == (GoldenRunState.PASSED, "no_golden_queries")


def test_missed_must_hit_closes_the_gate_and_only_an_owner_opens_it_with_a_reason(selmar: Selmar):
    expect(selmar, {"query": "bronze bell", "must_hit": ["bell"]})
    selmar.publish(BELL, GATE)
    request, release = selmar.staged(article("well", "A well."))
    assert release.gate_state == GateState.PASSED
    discard_stage(actor=selmar.reviewer, release_id=release.pk, reason="Ask more of it")
    expect(selmar, {"query": "bronze bell", "must_hit": ["bell"]}, {"query": "zebra", "must_hit": ["gate"]})
    release = stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)
    tasks.stage_release(release.pk)
    release.refresh_from_db()
    assert release.gate_state == GateState.FAILED
    failed = report_run(find_last_run(selmar.index.pk)).rows[0].result
    assert (failed.query, failed.passed, failed.missed) == ("zebra", False, ["gate"])

    with pytest.raises(GateClosed):
        swap_release(actor=selmar.owner, release_id=release.pk)
    with pytest.raises(RoleRequired):
        override_gate(actor=selmar.reviewer, release_id=release.pk, reason="I say so")
    with pytest.raises(ReasonRequired):
        override_gate(actor=selmar.owner, release_id=release.pk, reason=" ")
    override_gate(actor=selmar.owner, release_id=release.pk, reason="Nobody asks for zebras")
    swap_release(actor=selmar.reviewer, release_id=release.pk)
    request.refresh_from_db()
    assert request.state == ChangeState.LIVE
    entry = AuditEntry.objects.get(action="release.gate_overridden")
    assert (entry.reason, entry.before, entry.after) == ("Nobody asks for zebras", "failed", "overridden")


def test_open_gate_has_nothing_to_override(selmar: Selmar):
    _, release = selmar.staged(BELL)
    with pytest.raises(GateNotFailed):
        override_gate(actor=selmar.owner, release_id=release.pk, reason="Just in case")


def test_gate_reads_the_release_by_its_number_and_compares_with_live(selmar: Selmar):
    expect(selmar, {"query": "salt gate", "must_hit": ["gate"]})
    _, first = selmar.staged(BELL, article("gate", "Nothing to see."))
    assert first.gate_state == GateState.PASSED
    swap_release(actor=selmar.reviewer, release_id=first.pk)
    expect(selmar, {"query": "golden crown", "must_hit": ["crown"]})
    _, second = selmar.staged(article("crown", "The golden crown of Selmar."))
    report = report_run(find_last_run(selmar.index.pk))
    assert (second.gate_state, report.run.baseline_id) == (GateState.PASSED, first.pk)
    row = report.rows[0]
    assert (row.result.found, row.result.baseline_found) == (["crown"], [])
    assert row.deltas == {"ndcg": 1.0, "recall": 1.0, "rr": 1.0, "must_hit": 1.0}


def test_article_that_must_not_be_found_closes_the_gate_at_any_rank(selmar: Selmar):
    secret = article("vault", "The bronze vault key lies under the bronze bell.", audience=["npc:oda"])
    places = [article(f"bell-{number}", "The bronze bell. " * 3) for number in range(9)]
    question = {"query": "bronze bell", "must_not_hit": ["vault"], "k": 2}
    expect(selmar, question)
    _, kept = selmar.staged(*places, secret)
    assert kept.gate_state == GateState.PASSED
    swap_release(actor=selmar.reviewer, release_id=kept.pk)
    _, leaked = selmar.staged(secret | {"audience": "public"})
    result = find_last_run(selmar.index.pk).results.get()
    assert (leaked.gate_state, result.forbidden) == (GateState.FAILED, ["vault"])


def test_golden_query_of_an_npc_sees_what_the_npc_may_know_in_that_release(selmar: Selmar):
    oda = article("oda", "Oda keeps the keys.", type="character", fields={"factions": ["guild"]})
    secret = article("vault", "The obsidian vault.", audience=["faction:guild"])
    expect(
        selmar,
        {"query": "obsidian vault", "must_hit": ["vault"], "npc_id": "oda"},
        {"query": "obsidian", "must_not_hit": ["vault"]},
    )
    _, release = selmar.staged(oda, secret)
    assert release.gate_state == GateState.PASSED


def test_query_that_names_articles_nobody_has_is_reported_as_broken(selmar: Selmar):
    expect(
        selmar,
        {"query": "bell", "must_hit": ["bel"]},
        {"query": "bell", "must_hit": ["bell"], "must_not_hit": ["vualt"]},
        {"query": "bell", "must_hit": ["bell"]},
    )
    _, release = selmar.staged(BELL)
    problems = {result.key: result.problem for result in find_last_run(selmar.index.pk).results.all()}
    assert release.gate_state == GateState.FAILED
    assert "'bel'" in problems["q-0"]
    assert "'vualt'" in problems["q-1"]
    assert problems["q-2"] == ""


def test_gate_runs_again_after_its_queries_were_mended(selmar: Selmar):
    expect(selmar, {"query": "bell", "must_hit": ["bel"]})
    _, release = selmar.staged(BELL)
    expect(selmar, {"query": "bell", "must_hit": ["bell"]})
    assert run_golden_gate(release_id=release.pk) is None
    rerun_gate(actor=selmar.reviewer, release_id=release.pk)
    tasks.stage_release(release.pk)
    release.refresh_from_db()
    assert release.gate_state == GateState.PASSED


def test_degraded_search_is_recorded_in_the_run(selmar: Selmar, monkeypatch):
    expect(selmar, {"query": "bell", "must_hit": ["bell"]})
    real = golden_runs.search_lore

    def search_degraded(*args: Any, **kwargs: Any) -> Any:
        from dataclasses import replace

        return replace(real(*args, **kwargs), degraded=("embedder_unavailable",))

    monkeypatch.setattr(golden_runs, "search_lore", search_degraded)
    selmar.staged(BELL)
    assert find_last_run(selmar.index.pk).degraded == ["embedder_unavailable"]


def test_drift_run_judges_live_and_leaves_the_gate_alone(selmar: Selmar):
    expect(selmar, {"query": "bell", "must_hit": ["bell"], "relevant": {"bell": 3, "gate": 1}})
    _, release = selmar.publish(BELL, GATE)
    run = run_golden(actor=selmar.editor, domain_index_id=selmar.index.pk)
    assert (run.release_id, run.baseline_id, run.state) == (release.pk, None, GoldenRunState.PASSED)
    assert run.metrics["rr"] == 1.0
    release.refresh_from_db()
    assert release.gate_state == GateState.PASSED


def test_run_measures_what_rerank_gains_over_the_fused_order(selmar: Selmar, settings, monkeypatch):
    expect(selmar, {"query": "bell", "relevant": {"gate": 3}, "must_hit": ["gate"]})
    selmar.publish(BELL, article("gate", "The gate beyond the bell opens at dawn."))
    base = search.get_domain_settings("lore")
    rerank = base.retrieval.rerank.model_copy(update={"enabled": True})
    reranked = base.model_copy(update={"retrieval": base.retrieval.model_copy(update={"rerank": rerank})})
    monkeypatch.setattr(search, "get_domain_settings", lambda _: reranked)
    with serve_openai(chat=lambda _: '{"order": [2, 1]}') as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL = "judge", server.url
        run = run_golden(actor=selmar.editor, domain_index_id=selmar.index.pk)
    assert run.metrics["rr"] == 1.0
    assert run.metrics["rerank_gain"] == pytest.approx(1 - 1 / math.log2(3), abs=1e-4)


def silence(release: Release) -> None:
    Release.objects.filter(pk=release.pk).update(heartbeat_at=Now() - timedelta(minutes=3))


def start(selmar: Selmar) -> Release:
    selmar.approved(BELL)
    return stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)


def test_sweeper_takes_up_a_build_whose_worker_died_and_nothing_is_half_live(selmar: Selmar, monkeypatch):
    release = start(selmar)
    monkeypatch.setattr("knowledge.canon.actions.build.write_batch", _die)
    with pytest.raises(KeyboardInterrupt):
        tasks.stage_release(release.pk)
    assert selmar.live("bell") is None
    assert sweep_stalled_releases() == []
    silence(release)
    assert sweep_stalled_releases() == [release.pk]
    monkeypatch.undo()
    tasks.stage_release(release.pk)
    tasks.stage_release(release.pk)
    release.refresh_from_db()
    assert (release.state, release.gate_state) == (ReleaseState.STAGED, GateState.PASSED)
    silence(release)
    assert sweep_stalled_releases() == []
    assert GoldenRun.objects.filter(release=release).count() == 1


def _die(*args: Any, **kwargs: Any) -> None:
    raise KeyboardInterrupt


def test_build_that_keeps_killing_its_workers_is_given_up_and_can_be_retried(selmar: Selmar, monkeypatch):
    release = start(selmar)
    monkeypatch.setattr("knowledge.canon.actions.build.write_batch", _die)
    for _ in range(MAX_ATTEMPTS):
        silence(release)
        assert sweep_stalled_releases() == [release.pk]
        with pytest.raises(KeyboardInterrupt):
            tasks.stage_release(release.pk)
    silence(release)
    assert sweep_stalled_releases() == []
    release.refresh_from_db()
    assert release.state == ReleaseState.FAILED
    assert "worker died 5 times" in release.error
    assert AuditEntry.objects.filter(action="release.build_given_up").count() == 1

    monkeypatch.undo()
    retry_staging(actor=selmar.reviewer, release_id=release.pk)
    tasks.stage_release(release.pk)
    release.refresh_from_db()
    assert release.state == ReleaseState.STAGED
    with pytest.raises(ReleaseNotReady):
        retry_staging(actor=selmar.reviewer, release_id=release.pk)


def test_gate_whose_worker_died_runs_again_and_is_closed_after_five_failures(selmar: Selmar, monkeypatch):
    expect(selmar, {"query": "bell", "must_hit": ["bell"]})
    release = start(selmar)

    def break_off(*args: Any, **kwargs: Any) -> None:
        raise UnavailableError("The search does not answer.")

    monkeypatch.setattr(golden_runs, "search_lore", break_off)
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(UnavailableError):
            run_stage_once(release)
        release.refresh_from_db()
        assert release.gate_state == GateState.RUNNING
        silence(release)
        again = sweep_stalled_releases()
    assert again == []
    release.refresh_from_db()
    assert release.gate_state == GateState.FAILED
    assert "does not answer" in find_last_run(selmar.index.pk).error
    monkeypatch.undo()
    rerun_gate(actor=selmar.reviewer, release_id=release.pk)
    tasks.stage_release(release.pk)
    release.refresh_from_db()
    assert release.gate_state == GateState.PASSED


def run_stage_once(release: Release) -> None:
    """The task's own work, without Celery's retries."""
    from knowledge.canon.actions import build_release

    build_release(release.pk)
    run_golden_gate(release_id=release.pk)
