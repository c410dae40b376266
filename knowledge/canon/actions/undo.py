"""The first step of a build: what releases after the base changed is undone, and edited documents are closed."""

from __future__ import annotations

from pathlib import Path

from django.db import connection, transaction

from knowledge.canon.actions.locks import lock_release
from knowledge.canon.actions.release_rows import undo_release_rows
from knowledge.canon.models import Release, ReleaseState
from knowledge.errors import ReleaseNotReady
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
PUBLICATIONS = "knowledge_publication"
PASSAGES = "knowledge_lorepassage"


def undo_abandoned_releases(release_id: int) -> Release:
    """The release, standing on its base: rows of rolled-back releases closed, rows that those had closed restored.

    Afterwards open rows are exactly the base's, save that edited documents have no open publication. Does nothing the
    second time. Locks the release. Raises ReleaseNotReady when it is not being built.
    """
    with transaction.atomic():
        release = lock_release(release_id)
        check_building(release)
        if release.undone:
            return release
        parameters = {
            "tenant_id": release.tenant_id,
            "domain_index_id": release.domain_index_id,
            "release_id": release.pk,
            "base": release.base_number or 0,
            "number": release.number,
        }
        restores = release.number - (release.base_number or 0) > 1
        with connection.cursor() as cursor:
            if restores:
                close = read_query(SQL / "close_abandoned.sql")
                for table in (PUBLICATIONS, PASSAGES):
                    cursor.execute(close.format(table=table), parameters)
                cursor.execute(read_query(SQL / "restore_publications.sql"), parameters)
                cursor.execute(read_query(SQL / "restore_passages.sql"), parameters)
                cursor.execute(read_query(SQL / "undo_lexeme_counts.sql"), parameters)
            cursor.execute(read_query(SQL / "close_edited_publications.sql"), parameters)
        undo_release_rows(parameters, restores=restores)
        release.undone = True
        release.save(update_fields=["undone"])
    return release


def check_building(release: Release) -> None:
    """Raises ReleaseNotReady unless the release is being built."""
    if release.state != ReleaseState.BUILDING:
        raise ReleaseNotReady(
            f"Release {release.number} is {release.state}, not being built.",
            release=release.number,
            state=str(release.state),
        )
