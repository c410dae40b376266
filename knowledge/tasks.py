"""Work on the canon that runs in Celery. Every task may run twice."""

from __future__ import annotations

from celery import shared_task

from knowledge.canon import actions
from knowledge.canon.selectors.embeddings import has_backlog, list_spaces_without_index, list_tenants_with_backlog
from knowledge.facts.actions import expire_facts as end_expired_facts
from knowledge.search.backlog_queue import queue_backlog, run_backlog
from memoryproject.celery import RETRY_OUTAGES


@shared_task(name="knowledge.embed_backlog", **RETRY_OUTAGES)
def embed_backlog(tenant_id: int) -> None:
    """Work off a part of the passages a tenant has waiting, and queue the next; an outage leaves it to the sweeper."""
    run_backlog(embed_backlog, tenant_id, actions.embed_passage_backlog, has_backlog)


@shared_task(name="knowledge.ensure_vector_index", acks_late=True)
def ensure_vector_index(vector_space_id: int) -> None:
    """Build the HNSW index of a vector space that has outgrown the exact scan."""
    actions.ensure_vector_index(vector_space_id)


@shared_task(name="knowledge.sweep_embeddings", acks_late=True)
def sweep_embeddings() -> None:
    """Pick up what a killed worker, an outage or a lost message left: waiting passages and missing indexes."""
    for tenant_id in list_tenants_with_backlog():
        queue_backlog(embed_backlog, tenant_id)
    for vector_space_id in list_spaces_without_index():
        ensure_vector_index.delay(vector_space_id)


@shared_task(name="knowledge.expire_facts", acks_late=True)
def expire_facts() -> None:
    """End the events of players whose time has passed."""
    end_expired_facts()
