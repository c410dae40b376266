"""Conversations, messages, corrections and receipts, to look at: no page writes them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.conversations.core.excerpts import make_excerpt
from episodes.forgetting.actions.order_work import retry_receipt
from episodes.models import Conversation, ForgetReceipt, Message, ReceiptState
from knowledge.facts.models import MemoryCorrection
from tenancy.admin.tenant_filter import PlayerDataAdmin
from tenancy.models import EndUser

TENANTS = ("tenant", admin.RelatedOnlyFieldListFilter)


def link_player(user: EndUser) -> SafeString:
    """The way to a player's page."""
    return format_html('<a href="{}">{}</a>', reverse("admin:player", args=[user.pk]), user.external_id)


def link_message(message_id: int) -> SafeString:
    """The way to a message's page."""
    return format_html('<a href="{}">{}</a>', reverse("admin:episodes_message_change", args=[message_id]), message_id)


@admin.register(Conversation)
class ConversationAdmin(PlayerDataAdmin):
    """Chats, newest first."""

    list_display = ("show_conversation", "show_player", "tenant", "npc_id", "last_seq", "last_message_at")
    list_filter = (TENANTS,)
    list_select_related = ("tenant", "end_user")
    list_per_page = 50
    search_fields = ("external_id", "end_user__external_id")
    ordering = ("-id",)
    fields = ("tenant", "end_user", "world", "external_id", "npc_id", "session_id", "last_seq", "last_message_at")

    @admin.display(description="Conversation", ordering="id")
    def show_conversation(self, row: Conversation) -> SafeString:
        """The way to its messages and what they caused."""
        return format_html('<a href="{}">{}</a>', reverse("admin:player_conversation", args=[row.pk]), row)

    @admin.display(description="Player")
    def show_player(self, row: Conversation) -> SafeString:
        """Whose it is."""
        return link_player(row.end_user)


@admin.register(Message)
class MessageAdmin(PlayerDataAdmin):
    """What was said, newest first; of a forgotten message only its place."""

    list_display = ("__str__", "show_player", "tenant", "show_content", "language", "frame", "sent_at", "forgotten_at")
    list_filter = (TENANTS, "role", "frame", ("sent_at", admin.DateFieldListFilter))
    list_select_related = ("tenant", "conversation__end_user")
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("=conversation__end_user__external_id",)
    search_help_text = "A player's id"
    ordering = ("-id",)
    fields = ("tenant", "conversation", "seq", "role", "show_whole", "language", "frame", "sent_at", "forgotten_at")
    readonly_fields = ("show_whole",)

    @admin.display(description="Player")
    def show_player(self, row: Message) -> SafeString:
        """Whose it is."""
        return link_player(row.conversation.end_user)

    @admin.display(description="Said")
    def show_content(self, row: Message) -> SafeString | str:
        """An excerpt, or that it is forgotten."""
        if row.is_gone:
            return "forgotten"
        return format_html('<span dir="auto">{}</span>', make_excerpt(row.content, memory_type=row.memory_type))

    @admin.display(description="Said")
    def show_whole(self, row: Message) -> SafeString | str:
        """All of it, word for word, or that it is forgotten."""
        if row.is_gone:
            return "forgotten"
        return render_to_string("memory37/long_text.html", {"text": row.content})


@admin.register(MemoryCorrection)
class CorrectionAdmin(PlayerDataAdmin):
    """What players and support people corrected, newest first."""

    list_name = "corrections"
    list_display = (
        "created_at", "show_player", "tenant", "correction_type", "outcome", "fact", "show_messages", "made_by",
        "reason",
    )  # fmt: skip
    list_filter = (TENANTS, "correction_type", "outcome", "language", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("tenant", "end_user", "fact")
    list_per_page = 50
    search_fields = ("=end_user__external_id",)
    search_help_text = "A player's id"
    ordering = ("-id",)

    @admin.display(description="Player")
    def show_player(self, row: MemoryCorrection) -> SafeString:
        """Whose memory it was."""
        return link_player(row.end_user)

    @admin.display(description="Messages", ordering="trigger_message_id")
    def show_messages(self, row: MemoryCorrection) -> SafeString | str:
        """The message that corrects, and the one that it is about."""
        if row.trigger_message_id is None:
            return ""
        said = link_message(row.trigger_message_id)
        if row.corrected_message_id is None:
            return said
        return format_html("{} about {}", said, link_message(row.corrected_message_id))


@admin.register(ForgetReceipt)
class ReceiptAdmin(PlayerDataAdmin):
    """What was forgotten or erased, and whether a search still finds any of it."""

    list_name = "forget receipts"
    list_display = ("created_at", "show_player", "tenant", "show_asked", "show_state", "show_cleared", "requested_by")
    actions = ("retry_chosen",)
    list_filter = (TENANTS, "state", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("tenant", "end_user")
    list_per_page = 50
    search_fields = ("=end_user__external_id", "=id")
    search_help_text = "A player's id, or a receipt's"
    ordering = ("-created_at",)
    exclude = ("work",)

    def get_queryset(self, request: Any) -> Any:
        """Without the hashes that an open receipt still needs."""
        return super().get_queryset(request).defer("work")

    @admin.display(description="State", ordering="state")
    def show_state(self, row: ForgetReceipt) -> str:
        """Where it stands; why it failed, and how far an order is."""
        if row.state == ReceiptState.FAILED:
            return f"failed: {row.get_code_display()}"
        if row.order_kind and row.state != ReceiptState.DONE:
            return f"{row.state}: {row.cleared.get('messages', 0)} of {row.asked.get('messages', 0)} messages"
        return row.state

    @admin.action(description="Try again", permissions=["view"])
    def retry_chosen(self, request: HttpRequest, queryset: QuerySet[ForgetReceipt]) -> None:
        """Those of the chosen ones that failed are on their way again."""
        failed = queryset.filter(state=ReceiptState.FAILED).order_by("created_at").values_list("tenant_id", "pk")
        for tenant_id, receipt_id in failed:
            retry_receipt(
                tenant_id=tenant_id, receipt_id=receipt_id, requested_by=f"staff {request.user.get_username()}"
            )
        messages.success(request, f"{len(failed)} failed receipts are tried again.")

    @admin.display(description="Player")
    def show_player(self, row: ForgetReceipt) -> SafeString:
        """Whose memory it was."""
        return link_player(row.end_user)

    @admin.display(description="Asked")
    def show_asked(self, row: ForgetReceipt) -> str:
        """What was asked."""
        return str(row.asked.get("scope", ""))

    @admin.display(description="Cleared")
    def show_cleared(self, row: ForgetReceipt) -> str:
        """The stores that lost something."""
        return ", ".join(f"{count} {name}" for name, count in row.cleared.items() if count) or "nothing"
