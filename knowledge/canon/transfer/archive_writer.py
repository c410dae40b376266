"""Canon to one file: a zip of JSON lines, a manifest with counts and checksums last."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from django.db import connection, transaction
from django.utils import timezone

from knowledge.canon.models import DomainIndex, Release, ReleaseState
from knowledge.canon.transfer.archive_tables import CANON_TABLES, FORMAT_VERSION, PASSAGES, ArchiveTable
from knowledge.text.analysis import ANALYSIS_VERSION

MANIFEST = "manifest.json"
ROW_BATCH_SIZE = 500
UNFINISHED = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)
PASSAGES_WITHOUT_VECTORS = replace(PASSAGES, columns=tuple(each for each in PASSAGES.columns if each != "embedding"))
Progress = Callable[[str, int, int | None], None]


def silence(_step: str, _done: int, _total: int | None) -> None:
    """No progress."""


def write_archive(
    path: Path,
    *,
    indexes: Sequence[DomainIndex],
    tables: Sequence[ArchiveTable] = CANON_TABLES,
    with_vectors: bool = False,
    on_progress: Progress = silence,
) -> dict[str, Any]:
    """The manifest of the file that now holds the domains. They are read as of one moment, row by row.

    The file appears under its name when it is whole. A release that is not published yet is left out.
    """
    world = indexes[0].world
    manifest: dict[str, Any] = {
        "format": "memory37-canon",
        "format_version": FORMAT_VERSION,
        "created_at": timezone.now().isoformat(),
        "tenant": world.tenant.slug,
        "world": {
            "slug": world.slug,
            "name": world.name,
            "description": world.description,
            "languages": world.languages,
        },
        "analysis_version": ANALYSIS_VERSION,
        "with_vectors": with_vectors,
        "domains": {},
    }
    with _written_whole(path) as target, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        with transaction.atomic():
            _read_as_of_one_moment()
            for index in indexes:
                parameters = {"index_id": index.pk, "unfinished": _find_unfinished(index)}
                entries = {}
                for table in tables:
                    chosen = PASSAGES_WITHOUT_VECTORS if table is PASSAGES and not with_vectors else table
                    entries[table.name] = _write_table(archive, index.domain, chosen, parameters, on_progress)
                manifest["domains"][index.domain] = {"tables": entries}
        archive.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2))
    return manifest


def _write_table(
    archive: zipfile.ZipFile, domain: str, table: ArchiveTable, parameters: dict[str, int], on_progress: Progress
) -> dict[str, Any]:
    digest = hashlib.sha256()
    count = 0
    with archive.open(f"{domain}/{table.name}.jsonl", "w", force_zip64=True) as entry:
        for row in _read_rows(table, parameters):
            line = row.encode() + b"\n"
            digest.update(line)
            entry.write(line)
            count += 1
            on_progress(f"{domain} {table.name}", count, None)
    return {"rows": count, "sha256": digest.hexdigest()}


def _read_rows(table: ArchiveTable, parameters: dict[str, int]) -> Iterator[str]:
    """Each row as JSON, ids and all, in the order of the ids, by a cursor on the server."""
    columns = ", ".join(table.computed.get(column, column) for column in ("id", *table.columns))
    query = (
        f"SELECT row_to_json(t)::text FROM (SELECT {columns} FROM {table.table} "  # noqa: S608  our own names
        f"WHERE {table.where} ORDER BY id) t"
    )
    connection.ensure_connection()
    assert connection.connection is not None  # noqa: S101  just ensured
    with connection.connection.cursor(name="archive") as cursor:
        cursor.itersize = ROW_BATCH_SIZE
        cursor.execute(query, parameters)
        for (row,) in cursor:
            yield row


def _read_as_of_one_moment() -> None:
    """The rest of the transaction sees the database as it is now. Inside another transaction that one's rules hold."""
    if connection.savepoint_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _find_unfinished(index: DomainIndex) -> int:
    """The number of the release that is not published yet; 0 if there is none."""
    number = Release.objects.filter(domain_index=index, state__in=UNFINISHED).values_list("number", flat=True).first()
    return number or 0


@contextmanager
def _written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file beside the path, for this user's eyes, that takes its name when all went well and is gone otherwise."""
    partial = path.with_name(path.name + ".partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
