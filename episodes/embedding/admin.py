"""Messages without a vector that nobody works on: why, how often it was tried, and a way to try again."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.conversations.admin import TENANTS, link_player
from episodes.embedding.actions.embeddings import retry_failed_messages
from episodes.embedding.selectors.enrichment import filter_orphans
from episodes.models import MessagePassage
from tenancy.admin.tenant_filter import PlayerDataAdmin


@admin.register(MessagePassage)
class OrphanAdmin(PlayerDataAdmin):
    """What could not be embedded or waits for more than an hour; found by keywords alone until it is."""

    list_name = "orphaned messages"
    list_display = (
        "show_message", "show_player", "tenant", "embedding_state", "embedding_attempts", "embedding_error",
        "created_at",
    )  # fmt: skip
    list_filter = (TENANTS, "embedding_state")
    list_select_related = ("tenant", "end_user")
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("=end_user__external_id",)
    search_help_text = "A player's id"
    ordering = ("-id",)
    actions = ("retry_chosen",)
    fields = (
        "tenant", "conversation", "seq", "show_player", "embedding_state", "embedding_attempts", "embedding_error",
        "created_at",
    )  # fmt: skip
    readonly_fields = ("show_player",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Orphans only, without what is for searching."""
        return filter_orphans(super().get_queryset(request)).defer("lexemes", "bm25", "embedding")

    @admin.display(description="Message", ordering="id")
    def show_message(self, row: MessagePassage) -> SafeString:
        """The way to where it was said."""
        page = reverse("admin:player_conversation", args=[row.conversation_id])
        return format_html(
            '<a href="{}?before={}#message-{}">message {}</a>', page, row.seq + 1, row.message_id, row.message_id
        )

    @admin.display(description="Player")
    def show_player(self, row: MessagePassage) -> SafeString:
        """Whose it is."""
        return link_player(row.end_user)

    @admin.action(description="Try again", permissions=["view"])
    def retry_chosen(self, request: HttpRequest, queryset: QuerySet[MessagePassage]) -> None:
        """The chosen ones, or all that the list's filters show, wait for the embedder anew."""
        chosen: dict[int, list[int]] = defaultdict(list)
        for tenant_id, passage_id in queryset.order_by().values_list("tenant_id", "pk"):
            chosen[tenant_id].append(passage_id)
        count = sum(
            retry_failed_messages(
                tenant_id=tenant_id, passage_ids=passage_ids, requested_by=f"staff {request.user.get_username()}"
            )
            for tenant_id, passage_ids in chosen.items()
        )
        messages.success(request, f"{count} messages wait for the embedder again.")
