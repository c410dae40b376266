"""Passages put straight into the tables of a published release, as a build leaves them, by COPY."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any

from django.db import connection
from django.utils import timezone
from pgvector import HalfVector

from knowledge.canon.models import Alias, DomainIndex, GateState, Release, ReleaseState, VectorSpace
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.search.embedding import get_embedder
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.text.analysis import ANALYSIS_VERSION, analyse_document
from tenancy.models import Tenant, World

BATCH = 500


@dataclass(frozen=True)
class Text:
    """One passage's worth of a corpus."""

    key: str
    title: str
    text: str

    @property
    def indexed(self) -> str:
        """What is searched."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True)
class _Target:
    """The release that is being loaded."""

    tenant_id: int
    index_id: int
    space_id: int
    pivot: float
    domain: str


@dataclass(frozen=True)
class Row:
    """One passage with its chunk, revision, publication and document, which share its id."""

    id: int
    tenant_id: int
    domain_index_id: int
    vector_space_id: int
    slug: str
    title: str
    body: str
    length: int
    lexemes: list[int]
    bm25: str
    embedding: str
    embedding_hash: bytes


@dataclass(frozen=True)
class Same:
    """A column that is the same in every row."""

    value: Any


OWNER = {"tenant_id": "tenant_id", "document_id": "id"}
PLAIN = {"audience": Same(["public"]), "tags": Same([])}
TABLES: dict[str, dict[str, str | Same]] = {
    "loredocument": {"id": "id", "tenant_id": "tenant_id", "domain_index_id": "domain_index_id"},
    "lorerevision": {
        **OWNER, **PLAIN, "id": "id", "number": Same(1), "slug": "slug", "title": "title", "type": Same("article"),
        "language": Same("en"), "body": "body", "aliases": Same([]), "rule_id": Same(""), "fields": Same("{}"),
        "field_labels": Same("{}"), "relations": Same("[]"), "translation_of": Same(""), "source": Same(""),
        "mentions": Same([]), "content_hash": Same(bytes(32)),
    },
    "publication": {
        **OWNER, **PLAIN, "domain_index_id": "domain_index_id", "revision_id": "id", "slug": "slug", "title": "title",
        "type": Same("article"), "names": Same([]), "rule_id": Same(""), "mentions": Same([]), "added_in": Same(1),
    },
    "lorechunk": {
        **OWNER, "id": "id", "revision_id": "id", "ordinal": Same(0), "anchor": Same(""), "heading_path": Same([]),
        "title": "title", "text": "body", "token_count": Same(0), "version": Same("1.0.0"),
        "content_hash": Same(bytes(32)),
    },
    "lorepassage": {
        **OWNER, **PLAIN, "id": "id", "domain_index_id": "domain_index_id", "vector_space_id": "vector_space_id",
        "chunk_id": "id", "language": Same("en"), "type": Same("article"), "added_in": Same(1), "length": "length",
        "lexemes": "lexemes", "bm25": "bm25", "embedding": "embedding", "embedding_hash": "embedding_hash",
        "embedding_state": Same("done"),
    },
}  # fmt: skip
"""What is written: a column's value is a member of Row, or the same everywhere."""


def make_texts(count: int, *, words: int = 150, seed: int = 37, vocabulary: int = 30_000) -> Iterator[Text]:
    """Texts of made-up words, their frequencies by Zipf's law; the same for a seed."""
    source = random.Random(seed)
    lexicon = make_vocabulary(vocabulary)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(vocabulary)))
    for number in range(count):
        length = source.randint(words - 30, words + 30)
        yield Text(f"t{number}", "", " ".join(source.choices(lexicon, cum_weights=weights, k=length)))


def make_vocabulary(size: int) -> list[str]:
    """Distinct pronounceable words, commonest first."""
    source = random.Random(1)
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(source.choices(syllables, k=source.randint(2, 4)))] = None
    return list(words)


def load_release(
    world_slug: str,
    texts: Callable[[], Iterable[Text]],
    *,
    domain: str = "lore",
    say: Callable[[str], None] = lambda _: None,
) -> tuple[ResolvedRelease, dict[str, int]]:
    """A world whose release 1 of a domain holds the texts, one passage each; and passage id by key.

    `texts` is called twice: once for the average length, once to load.
    """
    tenant, _ = Tenant.objects.get_or_create(slug="bench", defaults={"name": "Bench"})
    world, _ = World.objects.get_or_create(tenant=tenant, slug=world_slug, defaults={"name": world_slug})
    index = DomainIndex.objects.create(tenant=tenant, world=world, domain=domain)
    embedder = get_embedder(domain)
    space = VectorSpace.objects.create(tenant=tenant, domain_index=index, embedder=embedder.name, dims=embedder.dims)
    lengths = [len(analyse_document(text.indexed)) for text in texts()]
    pivot = max(sum(lengths) / max(len(lengths), 1), 1.0)
    target = _Target(tenant.pk, index.pk, space.pk, pivot, domain)
    ids: dict[str, int] = {}
    frequencies: Counter[int] = Counter()
    iterator = iter(texts())
    while batch := list(islice(iterator, BATCH)):
        _load_batch(batch, target, ids, frequencies)
        if len(ids) % 10_000 == 0:
            say(f"{world_slug}: {len(ids)} passages loaded")
    counts = "COPY knowledge_lexemecount (tenant_id, domain_index_id, lexeme, release_number, delta) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(counts) as copy:
        for lexeme, frequency in frequencies.items():
            copy.write_row((tenant.pk, index.pk, lexeme, 1, frequency))
    now = timezone.now()
    release = Release.objects.create(
        tenant=tenant,
        domain_index=index,
        number=1,
        state=ReleaseState.PUBLISHED,
        undone=True,
        analysis_version=ANALYSIS_VERSION,
        length_pivot=pivot,
        vector_space=space,
        passage_count=len(ids),
        document_count=len(ids),
        gate_state=GateState.EXEMPT,
        staged_at=now,
        published_at=now,
    )
    Alias.objects.create(tenant=tenant, domain_index=index, name="latest", release=release)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return resolve_release(world_id=world.pk, domain=domain), ids


def _load_batch(batch: Sequence[Text], release: _Target, ids: dict[str, int], frequencies: Counter[int]) -> None:
    vectors = get_embedder(release.domain).embed_documents([text.indexed for text in batch])
    indexed = [index_text(text.indexed, partition_id=release.index_id, pivot=release.pivot) for text in batch]
    numbers = range(_reserve_ids(len(batch)), sys.maxsize)
    rows = [
        Row(
            id=number,
            tenant_id=release.tenant_id,
            domain_index_id=release.index_id,
            vector_space_id=release.space_id,
            slug=f"d{number}",
            title=(text.title or text.key)[:300],
            body=text.text,
            length=entry.length,
            lexemes=entry.lexemes,
            bm25=entry.bm25.to_text(),
            embedding=HalfVector(vector).to_text(),
            embedding_hash=hash_embedded_text(text.indexed),
        )
        for number, text, entry, vector in zip(numbers, batch, indexed, vectors, strict=False)
    ]
    with connection.cursor() as cursor:
        for table, columns in TABLES.items():
            with cursor.copy(f"COPY knowledge_{table} ({', '.join(columns)}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(
                        [getattr(row, value) if isinstance(value, str) else value.value for value in columns.values()]
                    )
    for row, text in zip(rows, batch, strict=True):
        ids[text.key] = row.id
        frequencies.update(row.lexemes)


def _reserve_ids(count: int) -> int:
    """The first of `count` ids that are free in all five tables."""
    tables = ("loredocument", "lorerevision", "lorechunk", "lorepassage")
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"(SELECT last_value FROM knowledge_{table}_id_seq)" for table in tables))
        first = max(cursor.fetchone()) + 1
        for table in tables:
            cursor.execute(f"SELECT setval('knowledge_{table}_id_seq', {first + count - 1:d})")
    return first
