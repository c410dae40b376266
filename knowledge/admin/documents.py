"""The list of live documents, and the tables behind it, to read only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from knowledge.admin.filters import AudienceFilter, DomainFilter, LanguageFilter, TagFilter, TypeFilter
from knowledge.canon.models import PUBLIC, LoreRevision, Publication
from knowledge.canon.selectors.latest import list_live_publications
from tenancy.admin.tenant_filter import ReadOnlyAdmin


def show_audience(audience: list[str]) -> SafeString:
    """A badge: public, or who may know it."""
    if PUBLIC in audience:
        return format_html('<span class="m-badge m-badge-green">{}</span>', PUBLIC)
    tags = format_html_join(" ", '<span class="m-badge m-badge-purple">{}</span>', ((tag,) for tag in audience))
    return format_html('<span class="m-secret" title="Secret: only these may know it">{}</span>', tags)


@admin.register(Publication)
class DocumentListAdmin(ReadOnlyAdmin):
    """Documents that are live in `latest`."""

    list_name = "documents"
    list_before_template = "memory37/document_actions.html"
    list_display = ("show_title", "show_domain", "type", "show_language", "show_tags", "show_who_may_know", "added_in")
    list_display_links = None
    list_filter = (DomainFilter, TypeFilter, LanguageFilter, AudienceFilter, TagFilter)
    list_select_related = ("revision", "domain_index__world")
    list_per_page = 50
    search_fields = ("title", "slug", "rule_id", "revision__aliases")
    search_help_text = "Search by title, slug, rule id or alias"
    ordering = ("title", "slug")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Live ones only."""
        return list_live_publications(super().get_queryset(request))

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The document's own page."""
        publication = self.get_object(request, object_id)
        if publication is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return HttpResponseRedirect(reverse("admin:document", args=[publication.document_id]))

    @admin.display(description="Title", ordering="title")
    def show_title(self, row: Publication) -> SafeString:
        """Title and slug, leading to the document's page."""
        return format_html(
            '<a class="m-strong-link" href="{}" lang="{}" dir="auto">{}</a><div class="m-slug">{}</div>',
            reverse("admin:document", args=[row.document_id]),
            row.revision.language,
            row.title,
            row.slug,
        )

    @admin.display(description="World / domain", ordering="domain_index")
    def show_domain(self, row: Publication) -> str:
        """World and domain."""
        return str(row.domain_index)

    @admin.display(description="Language", ordering="revision__language")
    def show_language(self, row: Publication) -> str:
        """BCP 47 tag."""
        return row.revision.language

    @admin.display(description="Tags")
    def show_tags(self, row: Publication) -> SafeString:
        """At most four, then how many more."""
        shown = format_html_join(" ", '<span class="m-tag" dir="auto">{}</span>', ((tag,) for tag in row.tags[:4]))
        more = len(row.tags) - 4
        return format_html("{} <span class='m-subtle'>+{}</span>", shown, more) if more > 0 else shown

    @admin.display(description="Audience")
    def show_who_may_know(self, row: Publication) -> SafeString:
        """Who may know it."""
        return show_audience(row.audience)


@admin.register(LoreRevision)
class RevisionAdmin(ReadOnlyAdmin):
    """Immutable versions of articles."""

    list_display = ("title", "number", "slug", "language", "type", "created_at")
    list_filter = ("language", "type")
    search_fields = ("title", "slug")
    ordering = ("-id",)
    exclude = ("content_hash",)
