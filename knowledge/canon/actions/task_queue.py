"""What is handed to the workers once a transaction holds. A broker that is down costs a log line; beat catches up."""

from __future__ import annotations

from django.conf import settings

from knowledge.canon.models import LorePassage, Release
from knowledge.canon.selectors.audience import live_in
from knowledge.config import get_domain_settings
from knowledge.search.backlog_queue import queue_backlog
from knowledge.search.models import EmbeddingState
from memoryproject.celery import find_task
from memoryproject.database import after_commit


def queue_embedding(tenant_id: int) -> None:
    """Enqueue a run over the tenant's passages that wait for vectors, unless one waits already."""
    after_commit(
        queue_backlog, find_task("knowledge.embed_backlog"), tenant_id, priority=settings.CELERY_TASK_DEFAULT_PRIORITY
    )


def queue_release_followups(release: Release) -> None:
    """Enqueue what a built release still lacks: vectors of pending passages, an HNSW index for a large partition."""
    pending = LorePassage.objects.filter(
        live_in(release.number), domain_index_id=release.domain_index_id, embedding_state=EmbeddingState.PENDING
    )
    if pending.exists():
        queue_embedding(release.tenant_id)
    exact_scan_rows = get_domain_settings(release.domain_index.domain).retrieval.exact_scan_rows
    if release.passage_count > exact_scan_rows and not release.vector_space.hnsw_ready:
        after_commit(find_task("knowledge.ensure_vector_index").delay, release.vector_space_id)
