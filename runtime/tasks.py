"""Work of runtime in Celery. Every task may run twice."""

from __future__ import annotations

import json

from celery import shared_task

from episodes.condensing.actions.talk_summaries import Talk
from runtime.condensing.queue import run_work
from runtime.condensing.snippets import make_snippet
from runtime.condensing.summaries import make_summary
from runtime.measuring.actions import measure_night
from runtime.traces.actions import traces


@shared_task(name="runtime.delete_old_traces", acks_late=True)
def delete_old_traces() -> None:
    """Let traces go whose days are over."""
    traces.delete_old_traces()


@shared_task(name="runtime.measure_misses", acks_late=True)
def measure_misses() -> None:
    """Measure what players had to repeat and what packs did not find, of yesterday."""
    measure_night()


@shared_task(name="runtime.make_snippets", acks_late=True)
def make_snippets(tenant_id: int) -> None:
    """Make snippets of a tenant's long messages that packs told; what a lost job leaves, later packs ask for again."""
    run_work(make_snippets, tenant_id, lambda message_id: _make_snippet(tenant_id, message_id))


def _make_snippet(tenant_id: int, message_id: str) -> None:
    make_snippet(tenant_id, int(message_id))


@shared_task(name="runtime.make_talk_summaries", acks_late=True)
def make_talk_summaries(tenant_id: int) -> None:
    """Sum up talk of a tenant that left the window of packs; what a lost job leaves, later packs ask for again."""
    run_work(make_talk_summaries, tenant_id, lambda talk: _make_summary(tenant_id, talk))


def _make_summary(tenant_id: int, talk: str) -> None:
    make_summary(tenant_id, Talk(**json.loads(talk)))
