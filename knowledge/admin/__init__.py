"""Canon in the admin site: what is live, to read only. It changes by change requests and by nothing else."""

from knowledge.admin import documents, embeddings, releases

__all__ = ["documents", "embeddings", "releases"]
