"""Deleting notebooks whole: by who manages them, and with the player whom they are about."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction

from knowledge.notebook.actions.redaction import redact_versions, write_receipt
from knowledge.notebook.models import (
    Access,
    ChatNotebooks,
    Notebook,
    NotebookCommand,
    NotebookConflict,
    NotebookEntry,
    NotebookFolder,
    NotebookMember,
    NotebookPassage,
    NotebookProposal,
    NotebookReceipt,
    NotebookVersion,
    ReceiptKind,
)
from knowledge.notebook.models.guards import DELETION_SETTING
from knowledge.notebook.selectors.memberships import Seat

__all__ = ["ChatNotebooks", "delete_notebook", "delete_notebooks_of_user", "forget_messages"]
_TABLES = (
    ("passages", NotebookPassage),
    ("commands", NotebookCommand),
    ("conflicts", NotebookConflict),
    ("proposals", NotebookProposal),
    ("versions", NotebookVersion),
    ("entries", NotebookEntry),
    ("folders", NotebookFolder),
    ("members", NotebookMember),
)
"""In the order in which they go."""
SYSTEM = "memory37"


def delete_notebook(seat: Seat) -> NotebookReceipt:
    """The receipt: the notebook and all that stood in it is gone. Raises AccessDenied."""
    seat.require(Access.MANAGE)
    with transaction.atomic():
        return _delete(Notebook.objects.select_for_update().get(pk=seat.notebook.pk), by=seat.agent)


def delete_notebooks_of_user(*, tenant_id: int, end_user_id: int, world_id: int | None = None) -> int:
    """How many notebooks about a user are gone. Must be called inside a transaction."""
    rows = Notebook.objects.select_for_update().filter(tenant_id=tenant_id, end_user_id=end_user_id)
    if world_id is not None:
        rows = rows.filter(world_id=world_id)
    notebooks = list(rows.order_by("pk"))
    for notebook in notebooks:
        _delete(notebook, by=SYSTEM)
    return len(notebooks)


def forget_messages(*, tenant_id: int, message_ids: Sequence[int]) -> int:
    """How many versions lost their words because they rest on messages of a player that are forgotten."""
    rows = NotebookVersion.objects.filter(
        tenant_id=tenant_id, message_id__in=list(message_ids), redacted_at__isnull=True
    )
    notebooks = list(Notebook.objects.filter(pk__in=rows.values("notebook_id")).order_by("pk"))
    proposals = NotebookProposal.objects.filter(tenant_id=tenant_id, message_id__in=list(message_ids)).exclude(
        content=""
    )
    count = proposals.update(content="", name="", metadata={})
    for notebook in notebooks:
        with transaction.atomic():
            Notebook.objects.select_for_update(no_key=True).get(pk=notebook.pk)
            counts = redact_versions(
                notebook, list(rows.filter(notebook=notebook).values_list("pk", flat=True)), by=SYSTEM
            )
            write_receipt(notebook, ReceiptKind.FORGETTING, counts, by=SYSTEM)
            count += counts["versions"]
    return count


def _delete(notebook: Notebook, *, by: str) -> NotebookReceipt:
    counts = {}
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {DELETION_SETTING} = 'on'")
        for name, model in _TABLES:
            rows = model._base_manager.filter(notebook_id=notebook.pk)  # noqa: SLF001 - Django's public manager of all rows
            counts[name] = rows._raw_delete(rows.db)  # noqa: SLF001 - one statement a table; children went before
        Notebook.objects.filter(pk=notebook.pk)._raw_delete("default")  # noqa: SLF001
        cursor.execute(f"SET LOCAL {DELETION_SETTING} = 'off'")
    return write_receipt(notebook, ReceiptKind.DELETION, counts, by=by)
