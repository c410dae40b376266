"""What leaves the graph for good: what a person wants forgotten, and what is derived from canon anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from knowledge.canon.models import DomainIndex, Publication
from knowledge.graph.actions.canon_rows import GRAPH_ROWS, write_publications
from knowledge.graph.models import GraphName, GraphRelation
from knowledge.graph.models.guards import ERASURE_SETTING

REBUILD_BATCH_SIZE = 500


@contextmanager
def erasing() -> Iterator[None]:
    """A stretch of a transaction in which rows of the graph may be deleted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, 'on', true)", [ERASURE_SETTING])
        try:
            yield
        finally:
            cursor.execute("SELECT set_config(%s, '', true)", [ERASURE_SETTING])


def rebuild_canon_graph(domain_index_id: int) -> int:
    """Derive a domain's part of the graph anew from its publications, for all releases; how many rows were written.

    For domains that were loaded before the graph was, and after a restore from a backup. One transaction; the builder
    of a release waits for it. Locks the domain index. Raises UnknownDomain.
    """
    from knowledge.canon.actions.locks import lock_domain_index
    from knowledge.canon.actions.start import find_live_release

    written = 0
    with transaction.atomic():
        index: DomainIndex = lock_domain_index(domain_index_id)
        with erasing():
            for model in (GraphName, GraphRelation):
                model.objects.filter(domain_index_id=index.pk).delete()
        rows = Publication.objects.filter(domain_index=index).select_related("revision").order_by("pk")
        batch: list[Publication] = []
        for publication in rows.iterator(chunk_size=REBUILD_BATCH_SIZE):
            batch.append(publication)
            if len(batch) == REBUILD_BATCH_SIZE:
                written += write_publications(index.tenant_id, index.world_id, batch)
                batch = []
        written += write_publications(index.tenant_id, index.world_id, batch)
        live = find_live_release(index.pk)
        GRAPH_ROWS.settle(index.pk, live.number if live else 0)
    return written
