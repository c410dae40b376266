"""What a release does to one document."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.canon.core.article import Article


@dataclass(frozen=True, slots=True)
class Edit:
    """A document's change: a new article, a new version of one, or (article None) its retirement.

    `base_revision_id` is the live revision that the edit was made from; None where the document is not live.
    """

    document_id: int | None
    article: Article | None
    base_revision_id: int | None = None
