"""Model pages that show a person the rows of their own tenants and nothing else."""

from __future__ import annotations

import copy
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.http import Http404, HttpRequest, HttpResponseRedirect
from unfold.admin import ModelAdmin

from memoryproject.admin.row_versions import VersionedFormMixin
from tenancy.admin.access import (
    can_access_all_tenants,
    filter_by_tenants,
    has_role,
    list_tenant_ids,
    may_see_canon,
    may_see_players,
)
from tenancy.models import Role, Tenant


def find_tenant_lookup(model: type[models.Model]) -> str | None:
    """The path from a model to its tenant's id; None for models that belong to no tenant."""
    if model is Tenant:
        return "id"
    try:
        model._meta.get_field("tenant")  # noqa: SLF001 - Django's public way to a model's fields
    except FieldDoesNotExist:
        return "tenant_id" if any(field.name == "tenant_id" for field in model._meta.fields) else None  # noqa: SLF001
    return "tenant_id"


class TenantFilteredAdmin(ModelAdmin):
    """Rows of the person's own tenants. Reading takes any membership; writing takes `write_role`, None is read-only.

    Django's own model permissions play no part: membership decides.
    """

    write_role: str | None = None
    add_role: str | None = None
    list_filter_sheet = False
    list_filter_submit = False
    warn_unsaved_form = True
    actions: Any = None
    change_form_before_template: str | None = "memory37/row_version.html"
    list_name = ""
    """How people call the rows, where the model's own name says how they are stored."""

    def __init__(self, model: type[models.Model], admin_site: Any) -> None:
        super().__init__(model, admin_site)
        self.opts = self._rename(model._meta)  # noqa: SLF001

    def _rename(self, opts: Any) -> Any:
        if not self.list_name:
            return opts
        renamed = copy.copy(opts)
        renamed.verbose_name_plural = self.list_name
        renamed.verbose_name = self.list_name.removesuffix("s")
        return renamed

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form with the version of its row, so that nobody saves over another's words unseen."""
        form = super().get_form(request, obj, change, **kwargs)
        return type(form.__name__, (VersionedFormMixin, form), {}) if obj is not None else form

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """The list under its name."""
        changelist = super().get_changelist_instance(request)
        changelist.opts = self._rename(changelist.opts)
        return changelist

    def get_queryset(self, request: HttpRequest) -> Any:
        """Rows of the person's tenants."""
        lookup = find_tenant_lookup(self.model)
        return filter_by_tenants(super().get_queryset(request), request.user, lookup=lookup or "tenant_id")

    def get_tenant_id(self, obj: Any) -> int:
        """The tenant a row belongs to."""
        return int(obj.pk if isinstance(obj, Tenant) else obj.tenant_id)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the app is listed."""
        return may_see_canon(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Any member of the row's tenant."""
        if obj is None:
            return may_see_canon(request)
        return has_role(request.user, self.get_tenant_id(obj), Role.EDITOR)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever holds the writing role in some tenant; the form offers those tenants only."""
        role = self.add_role or self.write_role
        if role is None:
            return False
        return can_access_all_tenants(request.user) or bool(list_tenant_ids(request.user, role))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever holds the writing role in the row's tenant."""
        if self.write_role is None:
            return False
        if obj is None:
            return can_access_all_tenants(request.user) or bool(list_tenant_ids(request.user, self.write_role))
        return has_role(request.user, self.get_tenant_id(obj), self.write_role)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As for changing."""
        return self.has_change_permission(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Choices of the tenants in which the person may write."""
        related = db_field.remote_field.model
        lookup = find_tenant_lookup(related)
        if lookup is not None:
            rows = kwargs.get("queryset", related._default_manager.all())  # noqa: SLF001
            role = self.write_role or self.add_role or Role.OWNER
            kwargs["queryset"] = filter_by_tenants(rows, request.user, lookup=lookup, role=role)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> HttpResponseRedirect:
        raise Http404("There is nothing here.")


class ReadOnlyAdmin(TenantFilteredAdmin):
    """Rows to look at. No page of it writes, whoever asks; superusers included."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


class PlayerDataAdmin(ReadOnlyAdmin):
    """What players said and what is known of them: to look at, for reviewers and owners of the tenant."""

    def get_queryset(self, request: HttpRequest) -> Any:
        """Rows of the tenants in which the person reviews."""
        return filter_by_tenants(super().get_queryset(request), request.user, role=Role.REVIEWER)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the app is listed."""
        return may_see_players(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Reviewers and owners of the row's tenant."""
        if obj is None:
            return may_see_players(request)
        return has_role(request.user, self.get_tenant_id(obj), Role.REVIEWER)
