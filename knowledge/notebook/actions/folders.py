"""Folders of documents."""

from __future__ import annotations

from knowledge.notebook.core.limits import MAX_FOLDERS
from knowledge.notebook.core.names import fold_name
from knowledge.notebook.errors import NameTaken, NotebookFull
from knowledge.notebook.models import Notebook, NotebookFolder


def list_parents(path: str) -> list[str]:
    """The folders above a path, from the top. Example: `a/b/c.md` has `a` and `a/b`."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def ensure_folders(notebook: Notebook, path: str) -> None:
    """All folders above the path are there. Must be called with the notebook locked.

    Raises NotebookFull, NameTaken for a folder that looks like another.
    """
    wanted = list_parents(path)
    if not wanted:
        return
    rows = NotebookFolder.objects.filter(notebook=notebook)
    if rows.filter(path__in=wanted).count() == len(wanted):
        return
    known = list(rows.values_list("path", flat=True))
    missing = [each for each in wanted if each not in known]
    if len(known) + len(missing) > MAX_FOLDERS:
        raise NotebookFull(f"A notebook has at most {MAX_FOLDERS} folders.")
    looks = {fold_name(each): each for each in known}
    for each in missing:
        twin = looks.get(fold_name(each))
        if twin is not None:
            raise NameTaken(f"The folder {each!r} looks the same as {twin!r}, which is there.", existing=twin)
    NotebookFolder.objects.bulk_create(
        NotebookFolder(tenant_id=notebook.tenant_id, notebook=notebook, path=each) for each in missing
    )
