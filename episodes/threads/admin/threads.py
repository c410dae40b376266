"""The lists of threads and interrupts, a page of each, and how long worlds keep threads."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.threads.core.answer_forms import build_fields
from episodes.threads.core.drafts import Place
from episodes.threads.core.lines import build_tree
from episodes.threads.errors import UnknownThreadCheckpoint
from episodes.threads.models import InterruptState, Thread, ThreadInterrupt, ThreadState, WorldThreadPolicy
from episodes.threads.selectors import get_state, list_rollbacks, list_tree, view_interrupts, view_thread
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from tenancy.admin.access import has_role
from tenancy.admin.tenant_filter import PlayerDataAdmin, TenantFilteredAdmin
from tenancy.models import Role

MAX_SHOWN = 200
MAX_VALUE_CHARACTERS = 2_000
BADGES = {
    ThreadState.RUNNING: "m-badge m-badge-green",
    ThreadState.INTERRUPTED: "m-badge m-badge-orange",
    ThreadState.APPROVED: "m-badge m-badge-blue",
    ThreadState.REJECTED: "m-badge m-badge-red",
}
INTERRUPT_BADGES = {
    InterruptState.OPEN: "m-badge m-badge-orange",
    InterruptState.APPROVED: "m-badge m-badge-green",
    InterruptState.REJECTED: "m-badge m-badge-red",
}


@admin.register(Thread)
class ThreadAdmin(PlayerDataAdmin):
    """Threads, each leading to its page."""

    list_display = ("show_thread", "world", "show_state", "show_user", "used_at")
    list_display_links = None
    list_filter = ("state", "world")
    list_select_related = ("world", "end_user")
    search_fields = ("external_id", "title", "=end_user__external_id")
    search_help_text = "Words of a title, an id, or a player's id"
    ordering = ("-id",)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """One thread."""
        thread = self.get_object(request, object_id)
        if thread is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        rows = list_tree(thread, limit=MAX_SHOWN)
        return show_page(
            request,
            "thread.html",
            str(thread),
            thread=thread,
            view=view_thread(thread),
            badge=BADGES[thread.state],
            tree=build_tree(rows),
            is_cut=len(rows) == MAX_SHOWN,
            values=read_values(thread),
            interrupts=_list_interrupts(thread),
            rollbacks=list_rollbacks(thread),
            may_delete=has_role(request.user, thread.tenant_id, Role.OWNER),
        )

    @admin.display(description="Thread", ordering="external_id")
    def show_thread(self, row: Thread) -> SafeString:
        """Leads to its page."""
        url = reverse("admin:episodes_thread_change", args=[row.pk])
        return format_html(
            '<a class="m-strong-link" href="{}" dir="auto">{}</a><div class="m-slug">{}</div>',
            url,
            str(row),
            row.external_id,
        )

    @admin.display(description="State", ordering="state")
    def show_state(self, row: Thread) -> SafeString:
        """Where it stands."""
        return format_html('<span class="{}">{}</span>', BADGES[ThreadState(row.state)], row.state)

    @admin.display(description="About", ordering="end_user")
    def show_user(self, row: Thread) -> str:
        """The player whom it is about."""
        return "–" if row.end_user is None else row.end_user.external_id


@admin.register(ThreadInterrupt)
class ThreadInterruptAdmin(PlayerDataAdmin):
    """What agents ask, each leading to its page."""

    list_display = ("show_question", "show_thread", "show_state", "expires_at")
    list_display_links = None
    list_filter = ("state", "thread__world")
    list_select_related = ("thread",)
    search_fields = ("thread__external_id", "thread__title")
    search_help_text = "Words of a thread's title, or its id"
    ordering = ("-state", "id")

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """One interrupt."""
        row = self.get_object(request, object_id)
        if row is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        [view] = view_interrupts([row])
        return show_page(
            request,
            "interrupt.html",
            f"Question of {row.thread}",
            view=view,
            row=row,
            badge=INTERRUPT_BADGES[InterruptState(row.state)],
            asked=write_json(view.asked),
            schema=None if view.schema is None else write_json(view.schema),
            answer=write_json(view.answer),
            kinds=choose_form(view.schema),
            fields=build_fields(view.schema),
        )

    @admin.display(description="Question")
    def show_question(self, row: ThreadInterrupt) -> SafeString:
        """Leads to its page."""
        url = reverse("admin:episodes_threadinterrupt_change", args=[row.pk])
        try:
            text = write_json(view_interrupts([row])[0].asked)[:160]
        except DomainError:
            text = "It can't be decrypted with the keys that are set."
        return format_html('<a class="m-strong-link" href="{}" dir="auto">{}</a>', url, text)

    @admin.display(description="Thread", ordering="thread")
    def show_thread(self, row: ThreadInterrupt) -> SafeString:
        """Leads to the thread."""
        url = reverse("admin:episodes_thread_change", args=[row.thread_id])
        return format_html('<a href="{}" dir="auto">{}</a>', url, str(row.thread))

    @admin.display(description="State", ordering="state")
    def show_state(self, row: ThreadInterrupt) -> SafeString:
        """Where it stands."""
        return format_html('<span class="{}">{}</span>', INTERRUPT_BADGES[InterruptState(row.state)], row.state)


@admin.register(WorldThreadPolicy)
class WorldThreadPolicyAdmin(TenantFilteredAdmin):
    """How long worlds keep threads, and wait for people."""

    write_role = Role.OWNER
    list_display = ("world", "idle_days", "answer_hours")
    fields = ("tenant", "world", "idle_days", "answer_hours")


def read_values(thread: Thread) -> list[tuple[str, str, str]]:
    """Channel, serializer and what people can read of the thread's present state."""
    try:
        view = get_state(Place(thread.tenant_id, thread.world_id, thread.external_id))
    except (UnknownThreadCheckpoint, DomainError):
        return []
    shown = []
    for name, value in sorted(view.values.items()):
        sent = value.render()
        text = write_json(sent["json"]) if "json" in sent else f"{len(value.data)} bytes"
        shown.append((name, value.type, text[:MAX_VALUE_CHARACTERS]))
    return shown


def write_json(value: Any) -> str:
    """The value as people read it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return text.encode("utf-8", "replace").decode()


def choose_form(schema: Any) -> str:
    """How an answer is given: by two buttons for a truth value, as a text, by the fields of an object, or as JSON."""
    if build_fields(schema):
        return "fields"
    kind = schema.get("type") if isinstance(schema, dict) else None
    return {"boolean": "boolean", "string": "text"}.get(kind, "json") if isinstance(kind, str) else "json"


def _list_interrupts(thread: Thread) -> list[tuple[ThreadInterrupt, str, str]]:
    rows = list(ThreadInterrupt.objects.filter(thread=thread).select_related("thread").order_by("-pk")[:50])
    try:
        views = view_interrupts(rows)
    except DomainError:
        return []
    return [
        (each.row, INTERRUPT_BADGES[InterruptState(each.row.state)], write_json(each.asked)[:300]) for each in views
    ]
