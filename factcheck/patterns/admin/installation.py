"""Model pages of rows that belong to the installation: staff of any tenant read them, its operators write them."""

from __future__ import annotations

import copy
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms.models import construct_instance
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from simple_history.admin import SimpleHistoryAdmin
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextInputWidget

from factcheck.patterns.actions.files import IDENTITY
from factcheck.patterns.actions.patterns import delete_row, save_row
from factcheck.patterns.models.patterns import ConfigurationRow
from memoryproject.errors import DomainError
from tenancy.admin.access import can_access_all_tenants, may_see_canon


class RowForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A row with the revision that was opened; cleaning it tries the whole save and stores nothing."""

    opened_revision = forms.IntegerField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        max_length=100,
        required=False,
        label="Why",
        widget=UnfoldAdminTextInputWidget(),
        help_text="For the row's history.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and "opened_revision" in self.fields:
            self.fields["opened_revision"].initial = self.instance.revision

    def clean(self) -> dict[str, Any]:
        """What the action would refuse is said here, next to what was typed."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        draft = construct_instance(self, copy.copy(self.instance), self._meta.fields, self._meta.exclude)
        try:
            save_row(draft, expected_revision=cleaned.get("opened_revision"), dry_run=True)
        except DomainError as error:
            told = [f"{each['path']}: {each['message']}" for each in error.extra.get("errors", [])]
            raise ValidationError(told or [error.detail], code=error.code) from error
        return cleaned


class InstallationAdmin(SimpleHistoryAdmin, ModelAdmin):
    """Every write goes through `save_row` and `delete_row`; there is no bulk action beside them."""

    form = RowForm
    actions = None
    list_per_page = 50
    list_filter_sheet = False
    list_filter_submit = False
    warn_unsaved_form = True
    show_full_result_count = False
    save_as = False
    change_form_outer_before_template = "memory37/row_history.html"
    shown_to_readers: tuple[str, ...] = ()
    """Fields in the place of those that only the form has."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the app is listed."""
        return may_see_canon(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Staff of any tenant: these rows say how their players' messages are read."""
        return may_see_canon(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever runs the installation: the rows act on every tenant's messages."""
        return can_access_all_tenants(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As for adding."""
        return can_access_all_tenants(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: ConfigurationRow | None = None) -> bool:
        """Rows of the installation's own; shipped ones are switched off."""
        return can_access_all_tenants(request.user) and (obj is None or obj.shipped is None)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A row keeps what it is known by."""
        fixed = [name.removesuffix("_id") for name in IDENTITY[self.model]] if obj else []
        return (*super().get_readonly_fields(request, obj), *fixed)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """For readers without what only the form has."""
        fieldsets = super().get_fieldsets(request, obj)
        if self.has_change_permission(request, obj):
            return fieldsets
        known = {field.name for field in self.opts.get_fields()}
        form_only = {name for name in self.form.declared_fields if name not in known}
        shown = [
            (title, {**options, "fields": [name for name in options["fields"] if name not in form_only]})
            for title, options in fieldsets
        ]
        return [*shown, (None, {"fields": self.shown_to_readers})] if self.shown_to_readers else shown

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The form, with the way to the row's history."""
        url = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_history", args=[object_id])
        page: HttpResponse = super().change_view(
            request, object_id, form_url, {"row_history_url": url} | (extra_context or {})
        )
        return page

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Stored by the action, which checks all again under its lock."""
        save_row(
            obj,
            expected_revision=form.cleaned_data.get("opened_revision"),
            user_id=request.user.pk,
            reason=form.cleaned_data.get("reason", ""),
        )
        messages.info(request, "Every process reads messages with it within seconds.")

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Deleted by the action."""
        delete_row(obj, user_id=request.user.pk)

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> HttpResponseRedirect:
        raise Http404("There is nothing here.")


def show_state(row: ConfigurationRow) -> SafeString:
    """Whether a row is on, and where it comes from."""
    badges = [("green", "on") if row.is_active else ("orange", "off")]
    if row.shipped is None:
        badges.append(("blue", "own"))
    elif any(getattr(row, name) != value for name, value in row.shipped.items()):
        badges.append(("purple", "edited"))
    return format_html_join(" ", '<span class="m-badge m-badge-{}">{}</span>', badges)
