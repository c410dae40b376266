"""Canon in the admin site: what is live, to read only. It changes by change requests and by nothing else."""

from knowledge.admin import documents, embeddings, releases
from knowledge.notebook import admin as notebook
from knowledge.store import admin as store

__all__ = ["documents", "embeddings", "notebook", "releases", "store"]
