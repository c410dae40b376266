"""HNSW indexes for partitions that have outgrown the exact scan."""

from __future__ import annotations

from django.db import connection

from knowledge.canon.models import Alias, Release, VectorSpace
from knowledge.config import get_domain_settings
from knowledge.errors import UnknownVectorSpace


def vector_index_name(space: VectorSpace) -> str:
    """The name of a vector space's HNSW index."""
    return f"passage_hnsw_{space.pk}"


def ensure_vector_index(vector_space_id: int) -> bool:
    """Whether the vector space has a valid HNSW index afterwards; one is made when its partition needs it.

    Needed is one when `latest` or `stage` holds more passages of the space than `retrieval.exact_scan_rows`. Made with
    CREATE INDEX CONCURRENTLY, so call it outside transactions; what a broken attempt left is dropped first. Raises
    UnknownVectorSpace.
    """
    space = VectorSpace.objects.select_related("domain_index").filter(pk=vector_space_id).first()
    if space is None:
        raise UnknownVectorSpace("There is no such vector space.")
    name = vector_index_name(space)
    state = _read_index_state(name)
    if state != "valid":
        if not _is_needed(space):
            return _mark(space, ready=False)
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
            try:
                if state == "invalid":
                    cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
                cursor.execute(_create_statement(name, space))
            finally:
                cursor.execute("RESET statement_timeout")
    return _mark(space, ready=_read_index_state(name) == "valid")


def _mark(space: VectorSpace, *, ready: bool) -> bool:
    VectorSpace.objects.filter(pk=space.pk).exclude(hnsw_ready=ready).update(hnsw_ready=ready)
    return ready


def _is_needed(space: VectorSpace) -> bool:
    """Whether a release that is read has more passages than are scanned one by one."""
    most = get_domain_settings(space.domain_index.domain).retrieval.exact_scan_rows
    read = Alias.objects.filter(domain_index=space.domain_index).values("release_id")
    return Release.objects.filter(pk__in=read, vector_space=space, passage_count__gt=most).exists()


def _read_index_state(name: str) -> str | None:
    """`valid`, `invalid` (an attempt broke off), or None when there is no such index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "WHERE c.relname = %s AND pg_table_is_visible(i.indrelid)",
            [name],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    return "valid" if row[0] else "invalid"


def _create_statement(name: str, space: VectorSpace) -> str:
    return (
        f"CREATE INDEX CONCURRENTLY {name} ON knowledge_lorepassage "
        f"USING hnsw ((embedding::halfvec({int(space.dims)})) halfvec_ip_ops) "
        f"WHERE domain_index_id = {int(space.domain_index_id)} AND vector_space_id = {int(space.pk)}"
    )
