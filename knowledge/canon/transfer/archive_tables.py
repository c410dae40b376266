"""What a backup of canon holds, table by table, and how rows refer to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class ArchiveTable:
    """A table's share of a backup. `where` and the columns' SQL may use the parameters index_id and unfinished."""

    name: str
    table: str
    columns: tuple[str, ...]
    where: str
    references: Mapping[str, str] = field(default_factory=dict)
    """Column to the name of the archive table whose ids it holds."""
    computed: Mapping[str, str] = field(default_factory=dict)
    """Column to the SQL that stands for it in the backup."""

    @property
    def has_index(self) -> bool:
        """Whether its rows name the domain index themselves."""
        return self.where.startswith(OF_INDEX)


OF_INDEX = "domain_index_id = %(index_id)s"
OF_DOCUMENTS = "document_id IN (SELECT id FROM knowledge_loredocument WHERE domain_index_id = %(index_id)s)"
STILL_LIVE = {"removed_in": "NULLIF(removed_in, %(unfinished)s) AS removed_in"}
"""A release that is not published yet is left out: what it had closed is open."""

VECTOR_SPACES = ArchiveTable("vector_spaces", "knowledge_vectorspace", ("embedder", "dims", "created_at"), OF_INDEX)
DOCUMENTS = ArchiveTable("documents", "knowledge_loredocument", ("created_at",), OF_INDEX)
REVISIONS = ArchiveTable(
    "revisions",
    "knowledge_lorerevision",
    (
        "document_id", "number", "slug", "title", "type", "language", "body", "tags", "aliases", "rule_id", "audience",
        "fields", "field_labels", "relations", "translation_of", "source", "mentions", "content_hash", "created_at",
        "lorebook_origin",
    ),
    OF_DOCUMENTS,
    {"document_id": "documents"},
)  # fmt: skip
PUBLICATIONS = ArchiveTable(
    "publications",
    "knowledge_publication",
    (
        "document_id", "revision_id", "slug", "title", "type", "names", "rule_id", "audience", "tags", "mentions",
        "added_in", "removed_in",
    ),
    f"{OF_INDEX} AND added_in <> %(unfinished)s",
    {"document_id": "documents", "revision_id": "revisions"},
    STILL_LIVE,
)  # fmt: skip
CHUNKS = ArchiveTable(
    "chunks",
    "knowledge_lorechunk",
    (
        "document_id", "revision_id", "ordinal", "anchor", "heading_path", "title", "text", "token_count", "version",
        "content_hash", "created_at",
    ),
    OF_DOCUMENTS,
    {"document_id": "documents", "revision_id": "revisions"},
)  # fmt: skip
RELEASES = ArchiveTable(
    "releases",
    "knowledge_release",
    (
        "number", "base_number", "state", "title", "rebuild", "undone", "analysis_version", "length_pivot",
        "vector_space_id", "edits_total", "edits_done", "passage_count", "document_count", "error", "attempts",
        "heartbeat_at", "gate_state", "gate_reason", "created_at", "staged_at", "published_at",
    ),
    f"{OF_INDEX} AND number <> %(unfinished)s",
    {"vector_space_id": "vector_spaces"},
)  # fmt: skip
EDITS = ArchiveTable(
    "edits",
    "knowledge_releaseedit",
    ("release_id", "document_id", "revision_id", "state"),
    "release_id IN"
    " (SELECT id FROM knowledge_release WHERE domain_index_id = %(index_id)s AND number <> %(unfinished)s)",
    {"release_id": "releases", "document_id": "documents", "revision_id": "revisions"},
)
PASSAGES = ArchiveTable(
    "passages",
    "knowledge_lorepassage",
    (
        "vector_space_id", "document_id", "chunk_id", "language", "type", "audience", "tags", "added_in", "removed_in",
        "embedding_state", "embedding_error", "embedding", "created_at",
    ),
    f"{OF_INDEX} AND added_in <> %(unfinished)s",
    {"vector_space_id": "vector_spaces", "document_id": "documents", "chunk_id": "chunks"},
    STILL_LIVE,
)  # fmt: skip
ALIASES = ArchiveTable(
    "aliases",
    "knowledge_alias",
    ("name", "release_id", "moved_at"),
    f"{OF_INDEX} AND name = 'latest'",
    {"release_id": "releases"},
)
CANON_TABLES = (VECTOR_SPACES, DOCUMENTS, REVISIONS, PUBLICATIONS, CHUNKS, RELEASES, EDITS, PASSAGES, ALIASES)
