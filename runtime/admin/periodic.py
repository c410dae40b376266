"""Periodic tasks in the site's own looks, for those who run the installation."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django_celery_beat import admin as beat_admin
from django_celery_beat.models import (
    ClockedSchedule,
    CrontabSchedule,
    IntervalSchedule,
    PeriodicTask,
    SolarSchedule,
)
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

for model in (PeriodicTask, IntervalSchedule, CrontabSchedule, SolarSchedule, ClockedSchedule):
    admin.site.unregister(model)


class OperatorsOnly(ModelAdmin):
    """Superusers only; memberships do not count here."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Superusers only."""
        return bool(request.user.is_active and request.user.is_superuser)


class TaskSelectWidget(UnfoldAdminSelectWidget, beat_admin.TaskSelectWidget):
    """The list of registered tasks, in the site's looks."""


class PeriodicTaskForm(beat_admin.PeriodicTaskForm):
    """beat's own form, in the site's looks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["task"].widget = UnfoldAdminTextInputWidget()
        self.fields["regtask"].widget = TaskSelectWidget()


@admin.register(PeriodicTask)
class PeriodicTaskAdmin(beat_admin.PeriodicTaskAdmin, OperatorsOnly):
    """What runs by the clock."""

    form = PeriodicTaskForm


@admin.register(IntervalSchedule)
class IntervalAdmin(OperatorsOnly):
    """Every so many seconds, minutes, hours."""

    list_display = ("__str__", "every", "period")


@admin.register(CrontabSchedule)
class CrontabAdmin(beat_admin.CrontabScheduleAdmin, OperatorsOnly):
    """By the calendar."""


@admin.register(SolarSchedule)
class SolarAdmin(OperatorsOnly):
    """By the sun."""


@admin.register(ClockedSchedule)
class ClockedAdmin(OperatorsOnly):
    """At one moment."""
