"""API keys: issued with their secret shown once, revoked, never edited."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from memoryproject.errors import DomainError
from tenancy.actions.keys import issue_api_key, revoke_api_key
from tenancy.admin.access import filter_by_tenants
from tenancy.admin.tenant_filter import TenantFilteredAdmin
from tenancy.models import ApiKey, Role, Scope, Tenant, World


class KeyForm(forms.Form):
    """What a new key may do."""

    tenant = forms.ModelChoiceField(Tenant.objects.none(), empty_label=None)
    world = forms.ModelChoiceField(
        World.objects.none(), required=False, empty_label="Every world of the tenant", help_text="What the key reaches."
    )
    name = forms.CharField(max_length=200, help_text="Who or what will use it, for example “game server, Frankfurt”.")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text="Engine includes read; no other scope includes one.",
    )
    requests_per_minute = forms.IntegerField(
        required=False, min_value=1, max_value=1_000_000, help_text="Empty: the installation's default rate."
    )
    expires_at = forms.DateTimeField(
        required=False,
        label="Expires at (UTC)",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text="Empty: it never does.",
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tenants = filter_by_tenants(Tenant.objects.all(), user, lookup="id", role=Role.OWNER)
        worlds = filter_by_tenants(World.objects.select_related("tenant"), user, role=Role.OWNER)
        self.fields["tenant"].queryset = tenants  # type: ignore[attr-defined]
        self.fields["world"].queryset = worlds  # type: ignore[attr-defined]


@admin.register(ApiKey)
class ApiKeyAdmin(TenantFilteredAdmin):
    """Owners issue and revoke keys; a key's row is for reading only."""

    add_role = Role.OWNER
    list_display = ("name", "show_prefix", "tenant", "world", "show_scopes", "show_state", "last_used_at", "created_by")
    list_filter = (("tenant", admin.RelatedOnlyFieldListFilter), ("world", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("tenant", "world", "created_by")
    search_fields = ("name", "prefix")
    fields = (
        "name",
        "tenant",
        "world",
        "prefix",
        "show_scopes",
        "show_state",
        "requests_per_minute",
        "expires_at",
        "last_used_at",
        "created_by",
        "created_at",
    )
    readonly_fields = fields
    change_form_outer_before_template = "memory37/key_revoke.html"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Owners only."""
        from tenancy.admin.access import has_role, may_manage_some_tenant

        return may_manage_some_tenant(request) if obj is None else has_role(request.user, obj.tenant_id, Role.OWNER)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a key is issued or revoked."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: the audit log and change requests name it. Revoke it."""
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        """Keys of tenants that the person owns."""
        return filter_by_tenants(ApiKey.objects.all(), request.user, role=Role.OWNER)

    def get_urls(self) -> list[URLPattern]:
        """One more: revoking."""
        revoke = self.admin_site.admin_view(require_POST(self.revoke_view))
        return [path("<int:key_id>/revoke/", revoke, name="revoke_api_key"), *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form, and after it the page with the secret, which no address leads back to."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = KeyForm(request.POST or None, user=request.user)
        context = {**self.admin_site.each_context(request), "title": "Issue an API key", "form": form}
        if request.method == "POST" and form.is_valid():
            try:
                issued = self._issue(request, form.cleaned_data)
            except DomainError as error:
                form.add_error(None, error.detail)
            else:
                context |= {"title": "API key issued", "issued": issued}
                response = TemplateResponse(request, "memory37/key_issued.html", context)
                response.headers["Cache-Control"] = "no-store"
                return response
        return TemplateResponse(request, "memory37/key_issue.html", context)

    def revoke_view(self, request: HttpRequest, key_id: int) -> HttpResponse:
        """Refuses the key from the next request on."""
        key = self.get_queryset(request).filter(pk=key_id).first()
        if key is None:
            raise Http404
        revoke_api_key(key_id=key.pk)
        messages.success(request, f"The key {key.name} is revoked: the next request with it is refused.")
        return HttpResponseRedirect(reverse("admin:tenancy_apikey_change", args=[key.pk]))

    def _issue(self, request: HttpRequest, data: dict[str, Any]) -> Any:
        return issue_api_key(
            tenant_id=data["tenant"].pk,
            name=data["name"],
            scopes=data["scopes"],
            world_id=data["world"].pk if data["world"] else None,
            requests_per_minute=data["requests_per_minute"],
            expires_at=data["expires_at"],
            created_by_id=request.user.pk,
        )

    @admin.display(description="Key")
    def show_prefix(self, key: ApiKey) -> SafeString:
        """The public part."""
        return format_html("<code>m37_{}_…</code>", key.prefix)

    @admin.display(description="Scopes")
    def show_scopes(self, key: ApiKey) -> str:
        """In one line."""
        return ", ".join(key.scopes)

    @admin.display(description="State")
    def show_state(self, key: ApiKey) -> SafeString:
        """Whether it opens anything."""
        word, colour = "active", "green"
        if key.revoked_at:
            word, colour = "revoked", "red"
        elif key.expires_at and key.expires_at <= timezone.now():
            word, colour = "expired", "orange"
        return format_html('<span class="m-badge m-badge-{}">{}</span>', colour, word)
