"""Backups of a world's canon with its golden queries, and the way back."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.db import transaction

from knowledge.canon.models import DomainIndex
from knowledge.canon.transfer.archive_reader import open_archive
from knowledge.canon.transfer.archive_restore import Restored, make_vectors, restore_domain
from knowledge.canon.transfer.archive_tables import CANON_TABLES, OF_INDEX, ArchiveTable
from knowledge.canon.transfer.archive_writer import Progress, silence, write_archive
from knowledge.config import get_domain_settings
from reviews.audit.actions import Transition, write_audit
from reviews.core.actor import SYSTEM
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.models import World

GOLDEN_QUERIES = ArchiveTable(
    "golden_queries",
    "reviews_goldenquery",
    (
        "key", "query", "language", "must_hit", "must_not_hit", "relevant", "k", "npc_id", "tags", "note", "active",
        "updated_at",
    ),
    OF_INDEX,
)  # fmt: skip
TABLES = (*CANON_TABLES, GOLDEN_QUERIES)


def back_up_world(
    path: Path, *, indexes: Sequence[DomainIndex], with_vectors: bool = False, on_progress: Progress = silence
) -> dict[str, Any]:
    """The manifest of a file with the domains' canon and golden queries. Secrets of the tenant are not in it."""
    return write_archive(path, indexes=indexes, tables=TABLES, with_vectors=with_vectors, on_progress=on_progress)


def restore_world(
    path: Path, *, tenant_slug: str | None = None, world_slug: str | None = None, on_progress: Progress = silence
) -> tuple[World, list[Restored]]:
    """The world that a backup describes, with all its domains back, in the audit log; nothing if anything fails.

    Tenant and world are those of the backup unless named, and made if they are missing. Raises ArchiveDamaged,
    ArchiveTooNew, DomainNotEmpty, UnknownDomain.
    """
    with ExitStack() as stack:
        archive, manifest = stack.enter_context(open_archive(path))
        for domain in manifest["domains"]:
            get_domain_settings(domain)
        saved = manifest["world"]
        vectors = {
            domain: make_vectors(
                archive, manifest, domain, stack.enter_context(tempfile.TemporaryFile()), on_progress=on_progress
            )
            for domain in manifest["domains"]
        }
        with transaction.atomic():
            tenant = ensure_tenant(slug=tenant_slug or manifest["tenant"])
            world = ensure_world(
                tenant_id=tenant.pk,
                slug=world_slug or saved["slug"],
                name=saved["name"],
                description=saved["description"],
                languages=saved["languages"],
            )
            restored = [
                restore_domain(
                    archive,
                    domain,
                    world_id=world.pk,
                    vectors=vectors[domain],
                    tables=TABLES,
                    on_progress=on_progress,
                )
                for domain in manifest["domains"]
            ]
            write_audit([_describe(each, manifest) for each in restored], actor=SYSTEM, tenant_id=tenant.pk)
    return world, restored


def _describe(restored: Restored, manifest: dict[str, Any]) -> Transition:
    return Transition(
        action="domain_index.restored",
        object_type="domain_index",
        object_id=restored.index.pk,
        object_label=str(restored.index),
        details={
            "documents": restored.documents,
            "passages": restored.passages,
            "backup_of": f"{manifest['tenant']}/{manifest['world']['slug']}",
            "backup_made": manifest["created_at"],
        },
    )
