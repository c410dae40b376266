"""Art cards, to look at: what pictures show in words, and why."""

from __future__ import annotations

from itertools import chain
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from episodes.art.selectors.cards import collect_markers, find_scene
from episodes.models import ArtCard
from knowledge.canon.core.names import list_place_slugs
from memoryproject.admin.pages import show_page
from npcs.models import Npc
from npcs.profiles.selectors.lore import LoreRef, list_refs
from tenancy.admin.tenant_filter import ReadOnlyAdmin


@admin.register(ArtCard)
class ArtCardAdmin(ReadOnlyAdmin):
    """Cards of one's own tenants, newest first."""

    list_name = "art cards"
    list_display = (
        "image_id",
        "show_tags",
        "scene_id",
        "campaign_id",
        "style_preset",
        "show_safety",
        "world",
        "made_at",
    )
    list_filter = (
        "is_safe",
        "tag_source",
        ("world", admin.RelatedOnlyFieldListFilter),
        ("made_at", admin.DateFieldListFilter),
    )
    list_select_related = ("world",)
    list_per_page = 50
    search_fields = ("image_id", "scene_id", "campaign_id", "visual_tags", "npc_ids")
    search_help_text = "Search by picture, scene, campaign, tag or NPC"
    ordering = ("-id",)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The card with its people, its place and its scene."""
        card = self.get_object(request, object_id)
        if card is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        within = {"tenant_id": card.tenant_id, "world_id": card.world_id}
        known = dict(Npc.objects.filter(**within, npc_id__in=card.npc_ids).values_list("npc_id", "pk"))
        return show_page(
            request,
            "art_card.html",
            f"Art card {card.image_id}",
            card=card,
            scene=find_scene(**within, scene_id=card.scene_id, campaign_id=card.campaign_id or None),
            npcs=[(npc_id, known.get(npc_id)) for npc_id in card.npc_ids],
            places=_list_places(card),
            markers=collect_markers(**within, npc_ids=card.npc_ids, location_ids=card.location_ids),
        )

    @admin.display(description="Tags")
    def show_tags(self, row: ArtCard) -> SafeString:
        """The tags as they are."""
        return format_html_join(" ", '<span class="m-tag" dir="auto">{}</span>', ((tag,) for tag in row.visual_tags))

    @admin.display(description="Moderation", ordering="is_safe")
    def show_safety(self, row: ArtCard) -> SafeString:
        """A badge."""
        badge, word = ("m-badge-green", "safe") if row.is_safe else ("m-badge-red", "unsafe")
        return format_html('<span class="m-badge {}">{}</span>', badge, word)


def _list_places(card: ArtCard) -> list[tuple[str, LoreRef | None]]:
    """Each place as the game names it, with the article on it, if canon has or had one."""
    slugs = {place: list_place_slugs(place) for place in card.location_ids}
    refs = {ref.slug: ref for ref in list_refs(world_id=card.world_id, slugs=[*chain(*slugs.values())])}
    return [
        (place, next((refs[each] for each in possible if refs[each].document_id), None))
        for place, possible in slugs.items()
    ]
