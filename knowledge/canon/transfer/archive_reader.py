"""A backup file looked through before anything is done with it."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from knowledge.canon.transfer.archive_tables import FORMAT_VERSION
from knowledge.canon.transfer.archive_writer import MANIFEST
from knowledge.errors import ArchiveDamaged, ArchiveTooNew

MAX_LINE_BYTES = 64 * 1024 * 1024


@contextmanager
def open_archive(path: Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
    """The archive and its manifest, every entry checked. Raises ArchiveDamaged, ArchiveTooNew."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _read_manifest(archive)
            for domain, content in manifest["domains"].items():
                for name, entry in content["tables"].items():
                    _check_entry(archive, domain, name, entry)
            yield archive, manifest
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise ArchiveDamaged(f"{path.name} is damaged: {error}") from error
    except OSError as error:
        raise ArchiveDamaged(f"{path.name} can't be read: {error.strerror or error}") from error


def read_lines(archive: zipfile.ZipFile, domain: str, name: str) -> Iterator[bytes]:
    """The rows of one table, one JSON object each."""
    with archive.open(f"{domain}/{name}.jsonl") as entry:
        while line := entry.readline(MAX_LINE_BYTES):
            yield line


def _read_manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest = json.loads(archive.read(MANIFEST))
    except (KeyError, ValueError) as error:
        raise ArchiveDamaged("The file has no readable manifest: it is no backup of canon, or not whole.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != "memory37-canon":
        raise ArchiveDamaged("The file is no backup of canon.")
    version = manifest.get("format_version")
    if not isinstance(version, int) or version < 1:
        raise ArchiveDamaged("The manifest names no format version.")
    if version > FORMAT_VERSION:
        raise ArchiveTooNew(
            f"The file is of format {version}; this version of Memory37 knows formats up to {FORMAT_VERSION}.",
            format_version=version,
        )
    if not isinstance(manifest.get("domains"), dict) or not isinstance(manifest.get("world"), dict):
        raise ArchiveDamaged("The manifest names no domains or no world.")
    return manifest


def _check_entry(archive: zipfile.ZipFile, domain: str, name: str, entry: dict[str, Any]) -> None:
    digest = hashlib.sha256()
    count = 0
    try:
        for line in read_lines(archive, domain, name):
            digest.update(line)
            count += 1
    except KeyError as error:
        raise ArchiveDamaged(f"The file lacks {domain}/{name}.") from error
    if count != entry.get("rows") or digest.hexdigest() != entry.get("sha256"):
        raise ArchiveDamaged(f"{domain}/{name} is not what the manifest says: {count} rows of {entry.get('rows')}.")
