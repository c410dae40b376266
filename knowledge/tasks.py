"""Work on the canon that runs in Celery. Every task may run twice."""

from __future__ import annotations

from celery import shared_task

from knowledge.canon import actions
from knowledge.canon.selectors.embeddings import has_backlog, list_spaces_without_index, list_tenants_with_backlog
from knowledge.facts.actions import expire_facts as end_expired_facts
from knowledge.notebook.actions import forgetting as notebook_forgetting
from knowledge.notebook.actions import passages as notebook_passages
from knowledge.search.backlog_queue import PRIORITY_BACKLOG, queue_backlog, run_backlog
from knowledge.store.actions import expiry as store_expiry
from knowledge.store.actions import passages as store_passages
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
    for notebook_id in notebook_passages.list_waiting_notebooks():
        embed_notebook.apply_async((notebook_id,), priority=PRIORITY_BACKLOG)
    for space_id in store_passages.list_waiting_spaces():
        embed_store.apply_async((space_id,), priority=PRIORITY_BACKLOG)


@shared_task(name="knowledge.embed_notebook", **RETRY_OUTAGES)
def embed_notebook(notebook_id: int) -> None:
    """Give what was written in a notebook its vectors; an outage leaves it to the sweeper."""
    notebook_passages.embed_notebook(notebook_id)


@shared_task(name="knowledge.embed_store", **RETRY_OUTAGES)
def embed_store(space_id: int) -> None:
    """Give what agents put into a store its vectors; an outage leaves it to the sweeper."""
    store_passages.embed_store(space_id)


@shared_task(name="knowledge.sweep_store", acks_late=True)
def sweep_store() -> None:
    """Delete what has expired in the stores of agents."""
    store_expiry.sweep_expired()


@shared_task(name="knowledge.forget_notes", acks_late=True)
def forget_notes() -> None:
    """Archive what nobody has used for long, in all notebooks."""
    notebook_forgetting.archive_everywhere()


@shared_task(name="knowledge.expire_facts", acks_late=True)
def expire_facts() -> None:
    """End the events of players whose time has passed."""
    end_expired_facts()
