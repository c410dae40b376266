"""Documents out of a notebook as a zip of Markdown files, and back in."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from knowledge.notebook.actions.entries import write_entry
from knowledge.notebook.core.archives import read_archive, write_archive
from knowledge.notebook.core.drafts import DOCUMENT, Draft, Origin
from knowledge.notebook.errors import InvalidArchive
from knowledge.notebook.models import Access, Notebook
from knowledge.notebook.selectors.entries import filter_visible, find_entry
from knowledge.notebook.selectors.memberships import Seat


@dataclass(frozen=True, slots=True)
class ImportedDocuments:
    """Paths by what became of them. Others' newer words are never replaced: `kept` stand as they were."""

    created: tuple[str, ...]
    modified: tuple[str, ...]
    unchanged: tuple[str, ...]
    kept: tuple[str, ...]


def export_documents(seat: Seat) -> tuple[bytes, int]:
    """A zip of the documents that the member sees, as files under their paths, and how many they are."""
    rows = list(filter_visible(seat).filter(kind=DOCUMENT).values_list("name", "content"))
    return write_archive(rows), len(rows)


def import_documents(seat: Seat, data: bytes, *, replace: bool = False) -> ImportedDocuments:
    """What became of the files of a zip: all are written, or none.

    A document of other words that stands is kept, unless `replace`; then the old words stay as a version.
    Raises InvalidArchive, AccessDenied and what writing raises.
    """
    seat.require(Access.WRITE)
    try:
        files = read_archive(data)
    except ValueError as error:
        raise InvalidArchive(str(error)) from error
    outcomes: dict[str, list[str]] = {"created": [], "modified": [], "unchanged": [], "kept": []}
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        for path, content in files.items():
            current = find_entry(seat, DOCUMENT, path)
            if current is not None and current.content != content and not replace:
                outcomes["kept"].append(path)
                continue
            written = write_entry(
                seat,
                Draft(DOCUMENT, path, content),
                expected_sha256=None if current is None else current.sha256,
                origin=Origin("import"),
            )
            outcomes.setdefault(written.outcome, []).append(path)
    kept = [*outcomes["kept"], *outcomes.get("proposed", ())]
    return ImportedDocuments(
        tuple(outcomes["created"]), tuple(outcomes["modified"]), tuple(outcomes["unchanged"]), tuple(kept)
    )
