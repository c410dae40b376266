"""Work on the canon that runs in Celery. Every task may run twice."""

from __future__ import annotations

from celery import shared_task

from knowledge.canon import actions
from knowledge.canon.selectors.embeddings import list_indexes_with_pending_embeddings, list_spaces_without_index
from knowledge.facts.actions import expire_facts as end_expired_facts
from memoryproject.celery import RETRY_OUTAGES


@shared_task(name="knowledge.embed_pending_passages", **RETRY_OUTAGES)
def embed_pending_passages(domain_index_id: int) -> None:
    """Give waiting passages of a domain their vectors; what an outage leaves waits for the sweeper."""
    actions.embed_pending_passages(domain_index_id)


@shared_task(name="knowledge.ensure_vector_index", acks_late=True)
def ensure_vector_index(vector_space_id: int) -> None:
    """Build the HNSW index of a vector space that has outgrown the exact scan."""
    actions.ensure_vector_index(vector_space_id)


@shared_task(name="knowledge.sweep_embeddings", acks_late=True)
def sweep_embeddings() -> None:
    """Pick up what a killed worker, an outage or a lost message left: waiting passages and missing indexes."""
    for domain_index_id in list_indexes_with_pending_embeddings():
        embed_pending_passages.delay(domain_index_id)
    for vector_space_id in list_spaces_without_index():
        ensure_vector_index.delay(vector_space_id)


@shared_task(name="knowledge.expire_facts", acks_late=True)
def expire_facts() -> None:
    """End the events of players whose time has passed."""
    end_expired_facts()
