"""The way out for a release that will not be published: everything that it wrote for search is undone."""

from __future__ import annotations

from pathlib import Path

from django.db import connection, transaction

from knowledge.canon.actions.locks import lock_release_in_index
from knowledge.canon.actions.release_rows import list_release_tables, settle_release_rows
from knowledge.canon.actions.start import find_live_release
from knowledge.canon.models import Alias, AliasName, DomainIndex, LexemeCount, Release, ReleaseState
from knowledge.errors import ReleaseNotReady
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
DISCARDABLE_STATES = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)


def discard_release(release_id: int) -> Release:
    """The release, discarded: ranges and lexeme counts are as they were before it was started.

    Its documents, revisions, chunks and edits stay as a record that nothing live refers to. A worker that is building
    it stops at its next batch. One transaction, since a release started meanwhile must not see half of it. Locks the
    domain index, then the release. Raises ReleaseNotReady.
    """
    with transaction.atomic():
        release = lock_release_in_index(release_id)
        if release.state not in DISCARDABLE_STATES:
            raise ReleaseNotReady(
                f"Release {release.number} is {release.state} and can't be discarded.",
                release=release.number,
                state=str(release.state),
            )
        index_id = release.domain_index_id
        Alias.objects.filter(domain_index_id=index_id, name=AliasName.STAGE).delete()
        DomainIndex.objects.filter(pk=index_id).update(canary_percent=0)
        release.state = ReleaseState.DISCARDED
        release.save(update_fields=["state"])
        parameters = {"domain_index_id": index_id, "number": release.number}
        remove, reopen = read_query(SQL / "remove_added.sql"), read_query(SQL / "reopen_closed.sql")
        with connection.cursor() as cursor:
            for table in ("knowledge_publication", "knowledge_lorepassage", *list_release_tables()):
                cursor.execute(remove.format(table=table), parameters)
                cursor.execute(reopen.format(table=table), parameters)
        LexemeCount.objects.filter(domain_index_id=index_id, release_number=release.number).delete()
        live = find_live_release(index_id)
        settle_release_rows(index_id, live.number if live else 0)
    return release
