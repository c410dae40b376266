"""What reads of documents return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.canon.core.article import Relation
from knowledge.canon.models import Publication


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document as lists and links show it, in one release."""

    document_id: int
    slug: str
    title: str
    type: str
    language: str
    tags: tuple[str, ...]
    audience: tuple[str, ...]
    rule_id: str
    revision_id: int
    revision_number: int
    since_release: int
    """The release that brought this revision."""


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A chunk as it is indexed in the release."""

    passage_id: int
    heading_path: tuple[str, ...]
    anchor: str
    text: str
    version: str
    token_count: int
    embedding_state: str


@dataclass(frozen=True, slots=True)
class MentionView:
    """A link to another article. A target that the reader may not know looks like one that does not exist."""

    slug: str
    title: str | None
    """None where nothing that the reader may know has that slug."""


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A whole document in one release, as one reader may see it."""

    release_number: int
    summary: DocumentSummary
    body: str
    aliases: tuple[str, ...]
    fields: Mapping[str, Any]
    field_labels: Mapping[str, tuple[str, ...]]
    relations: tuple[Relation, ...]
    translation_of: str
    source: str
    chunks: tuple[ChunkView, ...]
    mentions: tuple[MentionView, ...]
    backlinks: tuple[DocumentSummary, ...]

    @property
    def token_count(self) -> int:
        """Tokens of all chunks."""
        return sum(chunk.token_count for chunk in self.chunks)


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some documents in the order of their slugs; `next_after` is None on the last page."""

    documents: tuple[DocumentSummary, ...]
    next_after: str | None


SUMMARY_FIELDS = (
    "document_id",
    "slug",
    "title",
    "type",
    "tags",
    "audience",
    "rule_id",
    "revision_id",
    "added_in",
    "revision__language",
    "revision__number",
)


def summarise(publication: Publication) -> DocumentSummary:
    """A publication, loaded with its revision, as a summary."""
    return DocumentSummary(
        document_id=publication.document_id,
        slug=publication.slug,
        title=publication.title,
        type=publication.type,
        language=publication.revision.language,
        tags=tuple(publication.tags),
        audience=tuple(publication.audience),
        rule_id=publication.rule_id,
        revision_id=publication.revision_id,
        revision_number=publication.revision.number,
        since_release=publication.added_in,
    )
