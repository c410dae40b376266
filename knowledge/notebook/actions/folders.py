"""Folders of documents."""

from __future__ import annotations

from knowledge.notebook.core.limits import MAX_FOLDERS
from knowledge.notebook.errors import NotebookFull
from knowledge.notebook.models import Notebook, NotebookFolder


def list_parents(path: str) -> list[str]:
    """The folders above a path, from the top. Example: `a/b/c.md` has `a` and `a/b`."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def ensure_folders(notebook: Notebook, path: str) -> None:
    """All folders above the path are there. Must be called with the notebook locked. Raises NotebookFull."""
    wanted = list_parents(path)
    if not wanted:
        return
    rows = NotebookFolder.objects.filter(notebook=notebook)
    known = set(rows.filter(path__in=wanted).values_list("path", flat=True))
    missing = [each for each in wanted if each not in known]
    if missing and rows.count() + len(missing) > MAX_FOLDERS:
        raise NotebookFull(f"A notebook has at most {MAX_FOLDERS} folders.")
    NotebookFolder.objects.bulk_create(
        NotebookFolder(tenant_id=notebook.tenant_id, notebook=notebook, path=each) for each in missing
    )
