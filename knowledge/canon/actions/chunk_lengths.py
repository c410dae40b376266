"""The average chunk length of a release, which BM25 weighs lengths against."""

from __future__ import annotations

from pathlib import Path

from django.db import connection

from knowledge.canon.core.chunks import chunk_article
from knowledge.canon.models import DomainIndex, LoreRevision, Release
from knowledge.canon.selectors.revisions import read_article
from knowledge.config import get_domain_settings
from knowledge.search.sql import read_query
from knowledge.text.analysis import analyse_document
from knowledge.text.chunking import ChunkLimits

SQL = Path(__file__).parent.parent / "sql"
MAX_SAMPLE_SIZE = 300


def measure_length_pivot(release: Release, index: DomainIndex) -> float | None:
    """The mean lexeme count of the chunks of up to 300 of the release's revisions, evenly spread; None without any."""
    chunk = get_domain_settings(index.domain).chunk
    limits = ChunkLimits(chunk.min_tokens, chunk.max_tokens)
    with connection.cursor() as cursor:
        cursor.execute(read_query(SQL / "sample_revisions.sql"), {"release_id": release.pk, "sample": MAX_SAMPLE_SIZE})
        revision_ids = [revision_id for (revision_id,) in cursor.fetchall()]
    lexemes = chunks = 0
    for revision in LoreRevision.objects.filter(pk__in=revision_ids).iterator(chunk_size=50):
        for piece in chunk_article(read_article(revision), limits):
            lexemes += len(analyse_document(piece.indexed_text))
            chunks += 1
    return max(lexemes / chunks, 1.0) if chunks else None
