"""The start of a release: its edits checked against what is live, and written down for the builder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from django.db import connection, transaction
from django.db.models import Max

from knowledge.canon.actions.chunk_lengths import measure_length_pivot
from knowledge.canon.actions.domain_indexes import ensure_vector_space
from knowledge.canon.actions.locks import lock_domain_index
from knowledge.canon.actions.revisions import create_documents, ensure_revisions
from knowledge.canon.core.edits import Edit
from knowledge.canon.models import (
    Alias,
    AliasName,
    DomainIndex,
    GateState,
    LoreDocument,
    Publication,
    Release,
    ReleaseEdit,
    ReleaseState,
    VectorSpace,
)
from knowledge.canon.selectors.audience import live_in
from knowledge.errors import (
    DocumentEditedTwice,
    EmptyRelease,
    NotFirstLoad,
    NotLive,
    ReleaseInProgress,
    SlugTaken,
    StaleBase,
    UnknownDocument,
)
from knowledge.search.embedding import get_embedder
from knowledge.search.sql import read_query
from knowledge.text.analysis import ANALYSIS_VERSION

SQL = Path(__file__).parent.parent / "sql"
EDIT_BATCH_SIZE = 1000
UNFINISHED_STATES = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)


def start_release(
    *, domain_index_id: int, edits: Iterable[Edit], title: str = "", rebuild: bool = False, first_load: bool = False
) -> Release:
    """A release in state building, with its documents, revisions and edits written; nothing at all if one is refused.

    The edits are taken one by one, so a first load of any size may come from an iterator. `rebuild` makes every passage
    anew; it is set by itself when the analysis or the embedder has changed since `latest`. Locks the domain index.

    Raises ReleaseInProgress, NotFirstLoad, EmptyRelease, StaleBase, SlugTaken, NotLive, UnknownDocument,
    DocumentEditedTwice.
    """
    with transaction.atomic():
        index = lock_domain_index(domain_index_id)
        _refuse_second_stage(index)
        base = find_live_release(index.pk)
        if first_load and base is not None:
            raise NotFirstLoad(f"Release {base.number} is live; changes to it go through review.")
        space = ensure_vector_space(index, get_embedder(index.domain))
        rebuild = rebuild or (base is not None and _is_outdated(base, space))
        release = Release.objects.create(
            tenant_id=index.tenant_id,
            domain_index=index,
            number=_next_number(index),
            base_number=base.number if base else None,
            title=title[:200],
            rebuild=rebuild,
            analysis_version=ANALYSIS_VERSION,
            length_pivot=base.length_pivot if base else 1.0,
            vector_space=space,
            gate_state=GateState.EXEMPT if first_load else GateState.PENDING,
        )
        total = _write_edits(release, index, edits)
        if rebuild:
            total += _add_untouched_documents(release)
        if not total:
            raise EmptyRelease("A release needs at least one edit.")
        _refuse_shared_slugs(release)
        release.edits_total = total
        if rebuild or base is None:
            release.length_pivot = measure_length_pivot(release, index) or release.length_pivot
        release.save(update_fields=["edits_total", "length_pivot"])
    return release


def find_live_release(domain_index_id: int) -> Release | None:
    """The release that `latest` points at, None before the first swap."""
    alias = (
        Alias.objects.filter(domain_index_id=domain_index_id, name=AliasName.LATEST)
        .select_related("release__vector_space")
        .first()
    )
    return alias.release if alias else None


def _refuse_second_stage(index: DomainIndex) -> None:
    other = Release.objects.filter(domain_index=index, state__in=UNFINISHED_STATES).first()
    if other is not None:
        raise ReleaseInProgress(
            f"Release {other.number} is {other.state}; publish or discard it first.",
            release=other.number,
            state=str(other.state),
        )


def _next_number(index: DomainIndex) -> int:
    highest: int | None = Release.objects.filter(domain_index=index).aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def _is_outdated(base: Release, space: VectorSpace) -> bool:
    return base.analysis_version != ANALYSIS_VERSION or base.vector_space_id != space.pk


def _write_edits(release: Release, index: DomainIndex, edits: Iterable[Edit]) -> int:
    """How many edits were written; each is checked against the release's base first."""
    source = iter(edits)
    edited: set[int] = set()
    total = 0
    while batch := list(islice(source, EDIT_BATCH_SIZE)):
        for edit in batch:
            if edit.document_id is not None:
                if edit.document_id in edited:
                    raise DocumentEditedTwice("The release edits one document twice.", document_id=edit.document_id)
                edited.add(edit.document_id)
        _check_bases(release, index, batch)
        _write_batch(release, index, batch)
        total += len(batch)
    return total


def _check_bases(release: Release, index: DomainIndex, batch: list[Edit]) -> None:
    document_ids = [edit.document_id for edit in batch if edit.document_id is not None]
    known = set(LoreDocument.objects.filter(domain_index=index, pk__in=document_ids).values_list("pk", flat=True))
    live = {
        publication.document_id: publication
        for publication in Publication.objects.filter(live_in(release.base_number or 0), document_id__in=document_ids)
        .select_related("revision")
        .only("document_id", "slug", "revision__number")
    }
    for edit in batch:
        if edit.document_id is None:
            if edit.article is None:
                raise NotLive("A document that does not exist can't be retired.")
            if edit.base_revision_id is not None:
                raise StaleBase("A new document has no revision to be based on.", slug=edit.article.slug)
            continue
        if edit.document_id not in known:
            raise UnknownDocument("There is no such document in this domain.", document_id=edit.document_id)
        _check_base(edit, live.get(edit.document_id))


def _check_base(edit: Edit, live: Publication | None) -> None:
    if live is None and edit.article is None:
        raise NotLive("The document is not live, so it can't be retired.", document_id=edit.document_id)
    if edit.base_revision_id == (live.revision_id if live else None):
        return
    numbers = dict(
        _revision_numbers([pk for pk in (edit.base_revision_id, live.revision_id if live else None) if pk is not None])
    )
    slug = edit.article.slug if edit.article else live.slug if live else ""
    base_number = numbers.get(edit.base_revision_id) if edit.base_revision_id else None
    live_number = live.revision.number if live else None
    raise StaleBase(
        f"{slug}: the edit was made from {_name_revision(base_number)}, but {_name_revision(live_number)} is live.",
        slug=slug,
        base_revision=base_number,
        live_revision=live_number,
    )


def _revision_numbers(revision_ids: list[int]) -> Iterator[tuple[int, int]]:
    from knowledge.canon.models import LoreRevision

    yield from LoreRevision.objects.filter(pk__in=revision_ids).values_list("pk", "number")


def _name_revision(number: int | None) -> str:
    return "no revision" if number is None else f"revision {number}"


def _write_batch(release: Release, index: DomainIndex, batch: list[Edit]) -> None:
    created = iter(create_documents(index, count=sum(1 for edit in batch if edit.document_id is None)))
    document_ids = [next(created).pk if edit.document_id is None else edit.document_id for edit in batch]
    articles = [
        (document_id, edit.article)
        for document_id, edit in zip(document_ids, batch, strict=True)
        if edit.article is not None
    ]
    revisions = {revision.document_id: revision for revision in ensure_revisions(index, articles)}
    ReleaseEdit.objects.bulk_create(
        ReleaseEdit(
            tenant_id=release.tenant_id,
            release=release,
            document_id=document_id,
            revision=revisions[document_id] if edit.article is not None else None,
        )
        for document_id, edit in zip(document_ids, batch, strict=True)
    )


def _add_untouched_documents(release: Release) -> int:
    """Write an edit that changes nothing for every live document without one; how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(SQL / "add_untouched_documents.sql"),
            {
                "release_id": release.pk,
                "tenant_id": release.tenant_id,
                "domain_index_id": release.domain_index_id,
                "base": release.base_number or 0,
            },
        )
        added: int = cursor.rowcount
    return added


def _refuse_shared_slugs(release: Release) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(SQL / "shared_slugs.sql"),
            {
                "release_id": release.pk,
                "domain_index_id": release.domain_index_id,
                "base": release.base_number or 0,
            },
        )
        row = cursor.fetchone()
    if row is not None:
        slug, title, other_title = row
        raise SlugTaken(
            f"“{title}” and “{other_title}” would share the slug {slug}.", slug=slug, titles=[title, other_title]
        )
