"""Filters of canon lists. Their choices come from rows that the person may see."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, F, Func
from django.http import HttpRequest

from knowledge.canon.models import PUBLIC, DomainIndex
from tenancy.admin.access import filter_by_tenants

MAX_CHOICES = 40


class DomainFilter(admin.SimpleListFilter):
    """World and domain."""

    title = "world and domain"
    parameter_name = "index"
    lookup = "domain_index_id"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The domains of the person's worlds."""
        rows = filter_by_tenants(DomainIndex.objects.select_related("world"), request.user)
        return [(str(row.pk), str(row)) for row in rows.order_by("world__name", "domain")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Rows of that domain."""
        value = self.value()
        return queryset.filter(**{self.lookup: int(value)}) if value and value.isdecimal() else queryset


class TypeFilter(admin.SimpleListFilter):
    """Type of article."""

    title = "type"
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The types in use."""
        values = model_admin.get_queryset(request).order_by("type").values_list("type", flat=True).distinct()
        return [(value, value) for value in values[:MAX_CHOICES]]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Articles of that type."""
        return queryset.filter(type=self.value()) if self.value() else queryset


class LanguageFilter(admin.SimpleListFilter):
    """Language of the article."""

    title = "language"
    parameter_name = "language"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The languages in use."""
        rows = model_admin.get_queryset(request).order_by("revision__language")
        return [(value, value) for value in rows.values_list("revision__language", flat=True).distinct()[:MAX_CHOICES]]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Articles in that language."""
        return queryset.filter(revision__language=self.value()) if self.value() else queryset


class AudienceFilter(admin.SimpleListFilter):
    """Public, or secret to some."""

    title = "audience"
    parameter_name = "audience"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Two kinds."""
        return [("public", "Public"), ("secret", "Secret")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Articles that everyone may know, or that only some may."""
        if self.value() == "public":
            return queryset.filter(audience__contains=[PUBLIC])
        if self.value() == "secret":
            return queryset.exclude(audience__contains=[PUBLIC])
        return queryset


class TagFilter(admin.SimpleListFilter):
    """Tag of the article, the commonest first."""

    title = "tag"
    parameter_name = "tag"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The tags in use."""
        rows = (
            model_admin.get_queryset(request)
            .order_by()
            .annotate(tag=Func(F("tags"), function="unnest"))
            .values("tag")
            .annotate(uses=Count("id"))
            .order_by("-uses", "tag")[:MAX_CHOICES]
        )
        return [(row["tag"], f"{row['tag']} ({row['uses']})") for row in rows]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Articles with that tag."""
        return queryset.filter(tags__contains=[self.value()]) if self.value() else queryset
