"""A tenant's messages and summaries that wait for vectors: worked off run by run."""

from __future__ import annotations

from episodes.campaigns.actions.passages import embed_summary_backlog
from episodes.embedding.actions.embeddings import embed_message_backlog
from knowledge.search.backlog import EmbeddingReport


def embed_tenant_backlog(tenant_id: int, *, priority: str = "recovery") -> EmbeddingReport:
    """What one run over the tenant's backlog did: summaries, which are few, then messages, each within a budget.

    Raises EmbedderUnavailable with the rest still waiting.
    """
    return embed_summary_backlog(tenant_id) + embed_message_backlog(tenant_id, priority=priority)
