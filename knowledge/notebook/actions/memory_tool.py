"""The Claude memory tool on a notebook's documents: each change a version, all of a command or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, Func, IntegerField

from knowledge.notebook.actions.entries import delete_entry, rename_entry, write_entry
from knowledge.notebook.actions.folders import ensure_folders
from knowledge.notebook.core.drafts import DOCUMENT, Draft, Origin
from knowledge.notebook.core.memory_tool import ROOT, Effect, MemoryAnswer, MemoryTree, run_memory_command
from knowledge.notebook.models import Notebook, NotebookEntry, NotebookFolder
from knowledge.notebook.selectors.entries import filter_visible, note_use
from knowledge.notebook.selectors.memberships import Seat
from memoryproject.errors import DomainError

ORIGIN = Origin("memory_tool")


class _Refused(Exception):
    """Takes the transaction back; the text is the answer."""


def run_memory_tool(seat: Seat, command: Mapping[str, Any]) -> MemoryAnswer:
    """What the tool answers. What the notebook refuses (access, quotas, names that look alike) is an error of the tool,
    in our words. Locks the notebook where something changes."""
    if command["command"] == "view":
        answer = run_memory_command(command, _read_tree(seat))
        _note_view(seat, command, answer)
        return answer
    try:
        with transaction.atomic():
            Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
            answer = run_memory_command(command, _read_tree(seat))
            for effect in answer.effects:
                _apply(seat, effect)
            return answer
    except _Refused as refusal:
        return MemoryAnswer(str(refusal), is_error=True)
    except DomainError as error:
        return MemoryAnswer(error.detail, is_error=True)


def _read_tree(seat: Seat) -> MemoryTree:
    """All paths in two queries; a text is read when it is asked for."""
    size = Func(F("content"), function="octet_length", output_field=IntegerField())
    files = dict(filter_visible(seat).filter(kind=DOCUMENT).annotate(size=size).values_list("name", "size"))
    folders = NotebookFolder.objects.filter(notebook_id=seat.notebook.pk).values_list("path", flat=True)
    return MemoryTree(files, frozenset(folders), lambda path: _get(seat, path).content)


def _get(seat: Seat, path: str) -> NotebookEntry:
    return filter_visible(seat).get(kind=DOCUMENT, name=path)


def _note_view(seat: Seat, command: Mapping[str, Any], answer: MemoryAnswer) -> None:
    path = str(command["path"]).removeprefix(ROOT).strip("/")
    if not answer.is_error and path:
        note_use(list(filter_visible(seat).filter(kind=DOCUMENT, name=path)))


def _apply(seat: Seat, effect: Effect) -> None:
    match effect.kind:
        case "write":
            _write(seat, effect)
        case "folder":
            seat.require("write")
            ensure_folders(seat.notebook, f"{effect.path}/x")
        case "delete":
            delete_entry(seat, _get(seat, effect.path), origin=ORIGIN)
        case "delete_folder":
            _delete_folder(seat, effect.path)
        case "rename":
            rename_entry(seat, _get(seat, effect.path), effect.target, origin=ORIGIN)
        case "rename_folder":
            _rename_folder(seat, effect.path, effect.target)


def _write(seat: Seat, effect: Effect) -> None:
    expected = None if effect.is_new else _get(seat, effect.path).sha256
    draft = Draft(DOCUMENT, effect.path, effect.content)
    written = write_entry(seat, draft, expected_sha256=expected, must_be_new=False, origin=ORIGIN)
    if written.outcome == "proposed":
        raise _Refused(f"{seat.agent} may only propose here: use the notebook's documents, not this tool.")


def _delete_folder(seat: Seat, path: str) -> None:
    seat.require("write")
    for row in filter_visible(seat).filter(kind=DOCUMENT, name__startswith=f"{path}/").order_by("pk"):
        delete_entry(seat, row, origin=ORIGIN)
    rows = NotebookFolder.objects.filter(notebook_id=seat.notebook.pk)
    rows.filter(path=path).delete()
    rows.filter(path__startswith=f"{path}/").delete()


def _rename_folder(seat: Seat, path: str, target: str) -> None:
    seat.require("write")
    rows = NotebookFolder.objects.filter(notebook_id=seat.notebook.pk)
    old = [each for each in rows.values_list("path", flat=True) if each == path or each.startswith(f"{path}/")]
    # First, since a folder may get a name that looks like its own.
    rows.filter(path__in=old).delete()
    for row in filter_visible(seat).filter(kind=DOCUMENT, name__startswith=f"{path}/").order_by("pk"):
        rename_entry(seat, row, target + row.name[len(path) :], origin=ORIGIN)
    for each in old:
        ensure_folders(seat.notebook, f"{target}{each[len(path) :]}/x")
