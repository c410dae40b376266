"""Failed logins: who is locked out where, and for how long. Counted by django-axes, which also logs them."""

from __future__ import annotations

from typing import Any

from axes.models import AccessAttempt, AccessFailureLog
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from unfold.admin import ModelAdmin

from memoryproject.error_pages import render_error_page
from tenancy.admin.access import can_access_all_tenants


class LoginsAdmin(ModelAdmin):
    """Read by superusers."""

    ordering = ("-attempt_time",)
    search_fields = ("username", "ip_address")
    date_hierarchy = "attempt_time"

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Superusers only."""
        return can_access_all_tenants(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers only."""
        return can_access_all_tenants(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


@admin.register(AccessAttempt)
class AccessAttemptAdmin(LoginsAdmin):
    """Names and addresses with failures since the last login that succeeded; deleting one unlocks it."""

    list_display = ("username", "ip_address", "failures_since_start", "is_locked", "attempt_time")
    fields = ("username", "ip_address", "user_agent", "failures_since_start", "attempt_time", "path_info")

    @admin.display(boolean=True, description="Locked")
    def is_locked(self, attempt: AccessAttempt) -> bool:
        """Whether the name may not sign in from the address until the time is over."""
        return bool(attempt.failures_since_start >= settings.AXES_FAILURE_LIMIT)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers unlock."""
        return can_access_all_tenants(request.user)


@admin.register(AccessFailureLog)
class AccessFailureLogAdmin(LoginsAdmin):
    """Each failed login."""

    list_display = ("username", "ip_address", "locked_out", "attempt_time")
    list_filter = ("locked_out",)
    fields = ("username", "ip_address", "user_agent", "locked_out", "attempt_time", "path_info")


def show_lockout(request: HttpRequest, *_args: Any, **_credentials: Any) -> HttpResponse:
    """429, with how long to wait."""
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    detail = f"Too many wrong passwords. This name may sign in from here again in {seconds // 60} minutes."
    return render_error_page(429, detail, path=request.path, headers={"Retry-After": str(seconds)})
