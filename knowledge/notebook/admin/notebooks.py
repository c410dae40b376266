"""The list of notebooks, and each one with its folders, facts, notes, conflicts, proposals, archive and ledger."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from knowledge.notebook.actions.forgetting import list_fading
from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE
from knowledge.notebook.models import Access, ChatNotebooks, EntryState, Notebook, NotebookEntry
from knowledge.notebook.selectors.entries import (
    list_commands,
    list_conflicts,
    list_entries,
    list_folders,
    list_proposals,
)
from knowledge.notebook.selectors.memberships import Seat, list_members
from memoryproject.admin.pages import show_page
from tenancy.admin.access import has_role
from tenancy.admin.tenant_filter import PlayerDataAdmin, TenantFilteredAdmin
from tenancy.models import Role

MAX_SHOWN = 200
BADGES = {
    EntryState.LIVE: "m-badge m-badge-green",
    EntryState.QUARANTINED: "m-badge m-badge-orange",
    EntryState.ARCHIVED: "m-badge",
}
STATUS_BADGES = {
    "executed": "m-badge m-badge-green",
    "proposed": "m-badge m-badge-blue",
    "failed": "m-badge m-badge-red",
}


def build_person_seat(notebook: Notebook, user: Any) -> Seat:
    """The seat of a person of the staff: they manage, and their decisions stand under their name."""
    name = re.sub(r"[^A-Za-z0-9._@-]", "_", user.get_username())[:100]
    return Seat(notebook, f"staff:{name}", Access.MANAGE, is_trusted=True)


@admin.register(Notebook)
class NotebookAdmin(PlayerDataAdmin):
    """Notebooks, each leading to its page."""

    list_display = ("show_notebook", "world", "show_user", "created_by", "created_at")
    list_display_links = None
    list_filter = ("world",)
    list_select_related = ("world", "end_user")
    search_fields = ("slug", "title", "=end_user__external_id")
    search_help_text = "Words of a title, an id, or a player's id"
    ordering = ("-created_at",)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """One notebook."""
        notebook = self.get_object(request, object_id)
        if notebook is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        seat = build_person_seat(notebook, request.user)
        documents = list_entries(seat, DOCUMENT, with_archived=True, limit=MAX_SHOWN)
        return show_page(
            request,
            "notebook.html",
            str(notebook),
            notebook=notebook,
            members=list_members(notebook.pk),
            folders=group_by_folder(list_folders(seat), documents),
            facts=list_entries(seat, FACT, with_archived=True, limit=MAX_SHOWN),
            notes=list_entries(seat, NOTE, with_archived=True, limit=MAX_SHOWN)[::-1],
            conflicts=list_conflicts(seat, state="open", limit=MAX_SHOWN),
            proposals=list_proposals(seat, state="pending", limit=MAX_SHOWN),
            fading=list_fading(notebook.pk)[:MAX_SHOWN],
            commands=[(row, STATUS_BADGES.get(row.status, "m-badge m-badge-orange")) for row in list_commands(seat)],
            badges=BADGES,
            may_delete=has_role(request.user, notebook.tenant_id, Role.OWNER),
        )

    @admin.display(description="Notebook", ordering="slug")
    def show_notebook(self, row: Notebook) -> SafeString:
        """Leads to its page."""
        url = reverse("admin:knowledge_notebook_change", args=[row.pk])
        return format_html(
            '<a class="m-strong-link" href="{}" dir="auto">{}</a><div class="m-slug">{}</div>', url, str(row), row.slug
        )

    @admin.display(description="About", ordering="end_user")
    def show_user(self, row: Notebook) -> str:
        """The player whom it is about."""
        return "–" if row.end_user is None else row.end_user.external_id


@admin.register(ChatNotebooks)
class ChatNotebooksAdmin(TenantFilteredAdmin):
    """The worlds whose NPCs keep notebooks while they talk."""

    write_role = Role.OWNER
    list_display = ("world", "is_enabled")
    fields = ("tenant", "world", "is_enabled")


def group_by_folder(
    folders: list[str], documents: list[NotebookEntry]
) -> list[tuple[str, list[tuple[str, NotebookEntry]]]]:
    """Folder to its documents by their own names; those without a folder first."""
    found: dict[str, list[tuple[str, NotebookEntry]]] = {"": [], **{path: [] for path in sorted(folders)}}
    for row in documents:
        folder, _, name = row.name.rpartition("/")
        found.setdefault(folder, []).append((name, row))
    return [(path, sorted(rows, key=lambda pair: pair[0])) for path, rows in found.items() if path or rows]
