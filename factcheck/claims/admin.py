"""Claims that canon contradicts."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString

from factcheck.models import ContradictedClaim
from knowledge.admin.filters import DomainFilter
from tenancy.admin.tenant_filter import ReadOnlyAdmin


@admin.register(ContradictedClaim)
class ContradictedClaimAdmin(ReadOnlyAdmin):
    """What a game claimed and canon denies, with the source that says otherwise."""

    list_display = ("show_claim", "method", "show_source", "domain_index", "release_number", "npc_id", "created_at")
    list_filter = (DomainFilter, "method", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("domain_index__world",)
    list_per_page = 50
    search_fields = ("claim", "source_slug", "npc_id")
    exclude = ("tenant",)

    @admin.display(description="Claim", ordering="claim")
    def show_claim(self, row: ContradictedClaim) -> SafeString:
        """The claim, shortened."""
        return format_html('<span dir="auto">{}</span>', row.claim[:200])

    @admin.display(description="Canon says")
    def show_source(self, row: ContradictedClaim) -> SafeString:
        """What is the case, and where it stands."""
        said = row.source_excerpt[:160] if row.expected is None else str(row.expected)
        return format_html('<span dir="auto">{}</span><div class="m-slug">{}</div>', said, row.source_slug)
