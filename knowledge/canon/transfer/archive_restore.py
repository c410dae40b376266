"""A backup back into the database: one transaction, new ids, search rows made anew from the texts."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from django.db import DataError, IntegrityError, connection, transaction
from pgvector import HalfVector

from knowledge.canon.actions import ensure_domain_index
from knowledge.canon.actions.domain_indexes import ensure_vector_space
from knowledge.canon.actions.locks import lock_domain_index
from knowledge.canon.actions.release_rows import rebuild_release_rows
from knowledge.canon.actions.task_queue import queue_release_followups
from knowledge.canon.core.chunks import embedded_text, indexed_text
from knowledge.canon.models import AliasName, DomainIndex, Release
from knowledge.canon.transfer.archive_reader import read_lines
from knowledge.canon.transfer.archive_tables import (
    CANON_TABLES,
    CHUNKS,
    PASSAGES,
    VECTOR_SPACES,
    ArchiveTable,
)
from knowledge.canon.transfer.archive_writer import Progress, silence
from knowledge.canon.transfer.chunk_vectors import ChunkVectors, embed_chunks
from knowledge.config import get_domain_settings
from knowledge.errors import ArchiveDamaged, DomainNotEmpty
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.embedding import get_embedder
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.text.analysis import ANALYSIS_VERSION

PASSAGE_BATCH_SIZE = 200


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back into one domain."""

    index: DomainIndex
    documents: int
    passages: int
    without_vector: int
    """Passages that wait for their vector: the embedder did not answer."""


def restore_domain(
    archive: zipfile.ZipFile,
    domain: str,
    *,
    world_id: int,
    vectors: ChunkVectors | None,
    tables: Sequence[ArchiveTable] = CANON_TABLES,
    on_progress: Progress = silence,
) -> Restored:
    """One domain of a backup in a world that has no release in it yet; nothing at all if anything fails.

    Texts, ranges, versions and releases are as they were; lexemes, BM25 weights and counts are made anew. Vectors come
    from `make_vectors`, called before the transaction, or from the backup (`vectors` None). Locks the domain index.
    Raises DomainNotEmpty, ArchiveDamaged.
    """
    try:
        with transaction.atomic():
            return _restore(archive, domain, world_id, tables, vectors, on_progress)
    except (IntegrityError, DataError) as error:
        reason = str(error).split("\n", 1)[0]
        raise ArchiveDamaged(f"The rows of the backup do not fit together: {reason}") from error


def make_vectors(
    archive: zipfile.ZipFile,
    manifest: dict[str, Any],
    domain: str,
    spool: IO[bytes],
    *,
    on_progress: Progress = silence,
) -> ChunkVectors | None:
    """Vectors of the domain's chunks by the present embedder, kept in the file; None if the backup holds them."""
    if manifest["with_vectors"]:
        return None
    return embed_chunks(read_lines(archive, domain, CHUNKS.name), get_embedder(domain), spool, on_progress=on_progress)


def _restore(
    archive: zipfile.ZipFile,
    domain: str,
    world_id: int,
    tables: Sequence[ArchiveTable],
    vectors: ChunkVectors | None,
    on_progress: Progress,
) -> Restored:
    index = lock_domain_index(ensure_domain_index(world_id=world_id, domain=domain).pk)
    if Release.objects.filter(domain_index=index).exists():
        raise DomainNotEmpty(
            f"The domain {domain!r} of this world has releases already; restore into another world (--as-world)."
        )
    _copy_rows(archive, domain, tables, on_progress)
    for table in tables:
        if table is PASSAGES:
            _index_passages(index, vectors, on_progress)
        elif table is VECTOR_SPACES:
            _insert_rows(table, index, extra={"hnsw_ready": "false"})
            if vectors is not None:
                _use_present_embedder(index)
        else:
            _insert_rows(table, index)
    _count_lexemes(index)
    rebuild_release_rows(index.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE knowledge_release SET analysis_version = %s WHERE domain_index_id = %s",
            [ANALYSIS_VERSION, index.pk],
        )
        cursor.execute(
            "SELECT (SELECT COUNT(*) FROM knowledge_loredocument WHERE domain_index_id = %(index)s), COUNT(*),"
            " COUNT(*) FILTER (WHERE embedding IS NULL) FROM knowledge_lorepassage WHERE domain_index_id = %(index)s",
            {"index": index.pk},
        )
        documents, passages, without = cursor.fetchone()
        cursor.execute("DROP TABLE restore_rows, restore_ids, restore_index")
    latest = Release.objects.filter(domain_index=index, aliases__name=AliasName.LATEST).first()
    if latest is not None:
        queue_release_followups(latest)
    return Restored(index, documents, passages, without)


def _copy_rows(archive: zipfile.ZipFile, domain: str, tables: Sequence[ArchiveTable], on_progress: Progress) -> None:
    """All rows as JSON in a temporary table, each with the id that it is going to have."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE restore_rows (kind text, j jsonb) ON COMMIT DROP")
        cursor.execute("CREATE TEMPORARY TABLE restore_ids (kind text, old bigint, new bigint) ON COMMIT DROP")
        cursor.execute(
            "CREATE TEMPORARY TABLE restore_index (old bigint PRIMARY KEY, length int, lexemes bigint[],"
            " bm25 sparsevec, embedding halfvec, embedding_hash bytea) ON COMMIT DROP"
        )
        for table in tables:
            with cursor.copy("COPY restore_rows (kind, j) FROM STDIN") as copy:
                for count, line in enumerate(read_lines(archive, domain, table.name), start=1):
                    copy.write_row((table.name, line.decode()))
                    on_progress(f"{domain} {table.name} read", count, None)
            cursor.execute(
                "INSERT INTO restore_ids (kind, old, new) SELECT kind, (j->>'id')::bigint,"
                " nextval(pg_get_serial_sequence(%s, 'id')) FROM restore_rows WHERE kind = %s ORDER BY 2",
                [table.table, table.name],
            )
        cursor.execute("CREATE UNIQUE INDEX ON restore_ids (kind, old)")
        cursor.execute("ANALYZE restore_rows, restore_ids")


def _insert_rows(
    table: ArchiveTable, index: DomainIndex, *, also: str = "", extra: dict[str, str] | None = None
) -> None:
    """The rows of one table under their new ids. `extra` are columns made of other things than the backup's rows."""
    extra = extra or {}
    owned = ["tenant_id", "domain_index_id"] if table.has_index else ["tenant_id"]
    columns = [column for column in table.columns if column not in extra]
    values = [f"ref_{column}.new" if column in table.references else f"p.{column}" for column in columns]
    joins = " ".join(
        f"LEFT JOIN restore_ids ref_{column} ON ref_{column}.kind = '{kind}' AND ref_{column}.old = p.{column}"
        for column, kind in table.references.items()
        if column in columns
    )
    query = (
        f"INSERT INTO {table.table} (id, {', '.join([*owned, *columns, *extra])}) "  # noqa: S608  our own names
        f"SELECT own.new, {', '.join([*(f'%({name})s' for name in owned), *values, *extra.values()])} "
        f"FROM restore_rows r CROSS JOIN LATERAL jsonb_populate_record(NULL::{table.table}, r.j) p "
        f"JOIN restore_ids own ON own.kind = '{table.name}' AND own.old = p.id {joins} {also} "
        f"WHERE r.kind = '{table.name}' ORDER BY own.new"
    )
    with connection.cursor() as cursor:
        cursor.execute(query, {"tenant_id": index.tenant_id, "domain_index_id": index.pk})


def _use_present_embedder(index: DomainIndex) -> None:
    """Whatever the backup's vector spaces were, what refers to them refers to the present embedder's."""
    space = ensure_vector_space(index, get_embedder(index.domain))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE restore_ids SET new = %s WHERE kind = %s", [space.pk, VECTOR_SPACES.name])


def _index_passages(index: DomainIndex, vectors: ChunkVectors | None, on_progress: Progress) -> None:
    """The passages, indexed from the restored chunks with the pivot of the release that added them."""
    done = 0
    for batch in _read_passages():
        rows = [_index_passage(index, row, vectors) for row in batch]
        with connection.cursor() as cursor, cursor.copy("COPY restore_index FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        done += len(rows)
        on_progress(f"{index.domain} passages indexed", done, None)
    extra = {
        "length": "x.length",
        "lexemes": "x.lexemes",
        "bm25": "x.bm25",
        "embedding": "x.embedding",
        "embedding_hash": "x.embedding_hash",
        "embedding_state": "CASE WHEN x.embedding IS NOT NULL THEN 'done'"
        " WHEN p.embedding_state = 'failed' THEN 'failed' ELSE 'pending' END",
        "embedding_attempts": "0",
    }
    _insert_rows(PASSAGES, index, also="JOIN restore_index x ON x.old = p.id", extra=extra)


def _read_passages() -> Iterator[list[tuple[Any, ...]]]:
    query = """
        SELECT p.id, p.chunk_id, c.title, c.heading_path, c.text, v.aliases, l.length_pivot, p.embedding::text
        FROM restore_rows r
        CROSS JOIN LATERAL jsonb_populate_record(NULL::knowledge_lorepassage, r.j) p
        JOIN restore_ids i ON i.kind = 'chunks' AND i.old = p.chunk_id
        JOIN knowledge_lorechunk c ON c.id = i.new
        JOIN knowledge_lorerevision v ON v.id = c.revision_id
        JOIN (
            SELECT (j->>'number')::int AS number, (j->>'length_pivot')::float AS length_pivot
            FROM restore_rows WHERE kind = 'releases'
        ) l ON l.number = p.added_in
        WHERE r.kind = 'passages'
    """
    connection.ensure_connection()
    assert connection.connection is not None  # noqa: S101  just ensured
    with connection.connection.cursor(name="restore_passages") as cursor:
        cursor.execute(query)
        while batch := cursor.fetchmany(PASSAGE_BATCH_SIZE):
            yield batch


def _index_passage(index: DomainIndex, row: tuple[Any, ...], vectors: ChunkVectors | None) -> tuple[Any, ...]:
    old_id, chunk_id, title, heading_path, text, aliases, pivot, saved_vector = row
    embedded = embedded_text(title, heading_path, text)
    weights = get_domain_settings(index.domain).bm25
    indexed = index_text(
        indexed_text(title, aliases, embedded),
        partition_id=index.pk,
        pivot=pivot,
        params=BM25Params(weights.k1, weights.b),
    )
    vector = saved_vector
    if vectors is not None:
        found = vectors.find(chunk_id)
        vector = None if found is None else HalfVector(np.asarray(found, dtype=np.float32)).to_text()
    return (old_id, indexed.length, indexed.lexemes, indexed.bm25.to_text(), vector, hash_embedded_text(embedded))


def _count_lexemes(index: DomainIndex) -> None:
    """By how many passages each release changed each lexeme's frequency, from the ranges of the passages."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO knowledge_lexemecount (tenant_id, domain_index_id, lexeme, release_number, delta)
            SELECT %(tenant_id)s, %(index_id)s, lexeme, number, SUM(change)
            FROM (
                SELECT unnest(lexemes) AS lexeme, added_in AS number, 1 AS change
                FROM knowledge_lorepassage WHERE domain_index_id = %(index_id)s
                UNION ALL
                SELECT unnest(lexemes), removed_in, -1
                FROM knowledge_lorepassage WHERE domain_index_id = %(index_id)s AND removed_in IS NOT NULL
            ) changes
            GROUP BY lexeme, number
            HAVING SUM(change) <> 0
            """,
            {"tenant_id": index.tenant_id, "index_id": index.pk},
        )
