"""Tenants, their worlds and their end users."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.postgres.forms import SimpleArrayField
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextInputWidget

from tenancy.admin.access import can_access_all_tenants
from tenancy.admin.tenant_filter import PlayerDataAdmin, TenantFilteredAdmin
from tenancy.models import EndUser, Role, Tenant, World


@admin.register(Tenant)
class TenantAdmin(TenantFilteredAdmin):
    """Owners rename; superusers create. A tenant with anything in it can't be deleted."""

    write_role = Role.OWNER
    list_display = ("name", "slug", "extraction", "created_at")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "show_extraction")

    @admin.display(description="Extraction")
    def show_extraction(self, tenant: Tenant) -> SafeString:
        """Where the switch stands, and the way to move it: not by the way, but with a reason."""
        url = reverse("admin:tenant_extraction", args=[tenant.pk])
        return format_html('{} · <a href="{}">What it does, and change it</a>', tenant.get_extraction_display(), url)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A tenant that is not there yet has no switch to move; an editor moves none."""
        return self.fields if obj is not None and self.has_change_permission(request, obj) else ("name", "slug")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Superusers only."""
        return can_access_all_tenants(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers only."""
        return can_access_all_tenants(request.user)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The slug is an address that game servers send: it stays."""
        return ("slug", "show_extraction") if obj else ()


class WorldForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A world, its languages separated by commas."""

    languages = SimpleArrayField(
        forms.CharField(max_length=16),
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text="BCP 47 tags, separated by commas: en, ru, ar, zh.",
    )

    class Meta:
        model = World
        fields = ("tenant", "name", "slug", "description", "languages", "kind", "npc_review")


@admin.register(World)
class WorldAdmin(TenantFilteredAdmin):
    """Owners create and rename worlds."""

    write_role = Role.OWNER
    form = WorldForm
    list_display = ("name", "slug", "tenant", "list_languages", "kind", "created_at")
    list_filter = (("tenant", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("tenant",)
    search_fields = ("name", "slug")

    @admin.display(description="Languages")
    def list_languages(self, world: World) -> str:
        """The languages in one line."""
        return ", ".join(world.languages)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A world keeps its tenant and its slug."""
        return ("tenant", "slug") if obj else ()


@admin.register(EndUser)
class EndUserAdmin(PlayerDataAdmin):
    """Players, as the tenant's own systems name them. They come by the API only."""

    list_name = "players"
    list_display = ("external_id", "tenant", "created_at", "show_memory")
    list_filter = (("tenant", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("tenant",)
    search_fields = ("external_id",)
    fields = ("tenant", "external_id", "created_at", "show_memory")
    readonly_fields = ("show_memory",)

    @admin.display(description="Memory")
    def show_memory(self, user: EndUser) -> SafeString:
        """The way to what is known of the player."""
        return format_html('<a href="{}">What is known</a>', reverse("admin:player", args=[user.pk]))
