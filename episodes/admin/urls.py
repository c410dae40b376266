"""Addresses of the pages of players, NPCs and play inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from episodes.campaigns.admin import policies
from episodes.npc_memory import admin as npcs
from episodes.players import admin as players
from episodes.rollback import admin as rollback


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("play-policies/<int:world_id>/", policies.play_policy_view, "play_policy"),
        ("campaigns/<int:campaign_pk>/checkpoints/", rollback.checkpoint_view, "campaign_checkpoint"),
        ("campaigns/<int:campaign_pk>/rollback/<int:checkpoint_id>/", rollback.rollback_view, "campaign_rollback"),
        (
            "campaigns/<int:campaign_pk>/hearsay/<int:hearsay_id>/revoke/",
            rollback.revoke_view,
            "campaign_hearsay_revoke",
        ),
        ("npcs/<int:npc_pk>/", npcs.npc_view, "npc"),
        ("players/<int:user_id>/", players.player_view, "player"),
        ("players/<int:user_id>/forget/", players.forget_view, "player_forget"),
        ("players/<int:user_id>/erase/", players.erase_view, "player_erase"),
        ("players/<int:user_id>/instructions/", players.instruction_view, "player_instruction"),
        ("players/<int:user_id>/facts/<int:fact_id>/<slug:verb>/", players.fact_action_view, "player_fact_action"),
        ("messages/<int:message_id>/snippet/drop/", players.snippet_drop_view, "player_snippet_drop"),
        ("talk-summaries/<int:summary_id>/drop/", players.summary_drop_view, "player_summary_drop"),
        ("conversations/<int:conversation_id>/", players.conversation_view, "player_conversation"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
