"""Passages by the state of their embedding: what waits, and what failed and why."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from knowledge.admin.filters import DomainFilter
from knowledge.canon.models import LorePassage
from tenancy.admin.tenant_filter import ReadOnlyAdmin

BADGES = {"done": "green", "pending": "blue", "failed": "red"}


@admin.register(LorePassage)
class EmbeddingAdmin(ReadOnlyAdmin):
    """The search index's rows. Vectors and lexemes are left out: they say nothing to people."""

    list_name = "embeddings"
    list_display = (
        "show_chunk",
        "language",
        "show_state",
        "embedding_attempts",
        "show_error",
        "added_in",
        "removed_in",
    )
    list_display_links = None
    list_filter = (DomainFilter, "embedding_state", "language")
    list_select_related = ("chunk",)
    list_per_page = 50
    search_fields = ("chunk__title",)
    ordering = ("-id",)
    fields = (
        "domain_index",
        "document",
        "chunk",
        "language",
        "type",
        "length",
        "embedding_state",
        "embedding_attempts",
        "embedding_error",
        "added_in",
        "removed_in",
        "created_at",
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without the wide columns."""
        return super().get_queryset(request).defer("embedding", "bm25", "lexemes")

    @admin.display(description="Passage", ordering="chunk__title")
    def show_chunk(self, row: LorePassage) -> SafeString:
        """Title and heading, leading to the document."""
        return format_html(
            '<a class="m-strong-link" dir="auto" href="{}">{}</a><div class="m-slug" dir="auto">{}</div>',
            reverse("admin:document", args=[row.document_id]),
            row.chunk.title,
            " › ".join(row.chunk.heading_path),
        )

    @admin.display(description="Embedding", ordering="embedding_state")
    def show_state(self, row: LorePassage) -> SafeString:
        """A coloured word."""
        return format_html(
            '<span class="m-badge m-badge-{}">{}</span>', BADGES.get(row.embedding_state, ""), row.embedding_state
        )

    @admin.display(description="Why it failed")
    def show_error(self, row: LorePassage) -> str:
        """The embedder's words."""
        return row.embedding_error[:300] or "–"
