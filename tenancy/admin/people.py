"""People who sign in, and their roles in tenants."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminTextInputWidget

from memoryproject.admin.row_versions import VersionedFormMixin
from tenancy.admin.access import can_access_all_tenants
from tenancy.admin.tenant_filter import TenantFilteredAdmin
from tenancy.models import Membership, Role

User = get_user_model()
admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class PersonAdmin(UserAdmin, ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs alone
    """Accounts, for superusers. What a person may do comes from memberships, not from model permissions."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "first_name", "last_name", "is_staff", "is_superuser", "is_active")
    list_filter = ("is_staff", "is_superuser", "is_active")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        (
            "Access",
            {
                "fields": ("is_active", "is_staff", "is_superuser"),
                "description": "Staff may sign in here; a membership says what they may do in a tenant.",
            },
        ),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "is_staff", "password1", "password2")}),)
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()
    actions = None

    change_form_before_template = "memory37/row_version.html"

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form with the version of its row."""
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (VersionedFormMixin, form), {}) if obj is not None else form

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Superusers only."""
        return can_access_all_tenants(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: what a person did stays theirs. Make the account inactive instead."""
        return False


class MembershipForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A role for a person who is named by their user name."""

    username = forms.CharField(
        max_length=150, widget=UnfoldAdminTextInputWidget(), help_text="The name by which the person signs in."
    )

    class Meta:
        model = Membership
        fields = ("tenant", "role")

    def clean_username(self) -> Any:
        """The person."""
        person = User.objects.filter(username=self.cleaned_data["username"].strip(), is_active=True).first()
        if person is None:
            raise ValidationError("Nobody signs in by that name.", code="person_unknown")
        return person

    def clean(self) -> dict[str, Any]:
        """A person has one role in a tenant."""
        cleaned: dict[str, Any] = super().clean() or {}
        person, tenant = cleaned.get("username"), cleaned.get("tenant")
        if person and tenant and Membership.objects.filter(user=person, tenant=tenant).exists():
            self.add_error("username", f"{person} is a member of {tenant} already: change that membership instead.")
        elif person:
            self.instance.user = person
        return cleaned


@admin.register(Membership)
class MembershipAdmin(TenantFilteredAdmin):
    """Owners give and take roles in their own tenants."""

    write_role = Role.OWNER
    list_display = ("user", "tenant", "role", "created_at")
    list_filter = (("tenant", admin.RelatedOnlyFieldListFilter), "role")
    list_select_related = ("user", "tenant")
    search_fields = ("user__username", "user__email")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """A new membership names the person; an old one changes the role only."""
        if obj is None:
            kwargs["form"] = MembershipForm
        return super().get_form(request, obj, change=change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Person, tenant, role."""
        return ("user", "tenant", "role", "created_at") if obj else ("username", "tenant", "role")

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Stored; with a word of warning when the person can't sign in here yet."""
        super().save_model(request, obj, form, change)
        if not obj.user.is_staff:
            messages.warning(
                request, f"{obj.user} can't sign in here yet: whoever runs the installation must mark them as staff."
            )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Only the role changes."""
        return ("user", "tenant", "created_at") if obj else ()
