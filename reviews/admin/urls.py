"""Addresses of our pages inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from reviews.admin import documents, graph, home
from reviews.change_requests.admin import autosave, bulk, bulk_filter, editor, requests
from reviews.golden.admin import changes as golden_changes
from reviews.golden.admin import queries as golden
from reviews.lorebooks.admin import event_proposals, exports, imports, npc_cards
from reviews.npcs.admin import profiles as npc_profiles
from reviews.releases.admin import boards, playground


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("documents/autosave/", autosave.autosave_view, "autosave"),
        ("documents/autosave/discard/", autosave.discard_autosave_view, "discard_autosave"),
        ("documents/new/", editor.new_document_view, "new_document"),
        ("documents/preview/", editor.preview_view, "preview_article"),
        ("documents/<int:document_id>/", documents.document_view, "document"),
        ("documents/<int:document_id>/edit/", editor.propose_edit_view, "propose_edit"),
        ("documents/<int:document_id>/retire/", editor.propose_retirement_view, "propose_retirement"),
        ("npcs/new/", npc_profiles.new_npc_view, "new_npc"),
        ("npcs/<int:npc_pk>/edit/", npc_profiles.edit_npc_view, "edit_npc"),
        (
            "requests/<int:request_id>/npcs/<int:item_id>/",
            npc_profiles.edit_npc_item_view,
            "edit_npc_item",
        ),
        ("lorebooks/import/", imports.lorebook_import_view, "lorebook_import"),
        ("lorebooks/export/", exports.lorebook_export_view, "lorebook_export"),
        ("events/<uuid:node_id>/propose/", event_proposals.propose_event_view, "event_propose"),
        ("npcs/<int:npc_pk>/card/", npc_cards.npc_card_view, "npc_card"),
        ("requests/bulk-edit/", bulk.bulk_edit_view, "bulk_edit"),
        ("requests/edit-many/", bulk_filter.edit_many_view, "edit_many"),
        ("requests/<int:request_id>/", requests.change_request_view, "change_request"),
        ("requests/<int:request_id>/items/<int:item_id>/", editor.edit_item_view, "edit_item"),
        ("requests/<int:request_id>/<slug:verb>/", requests.change_request_action_view, "change_request_action"),
        ("releases/", boards.boards_view, "boards"),
        ("releases/<int:index_id>/", boards.board_view, "board"),
        ("releases/<int:index_id>/progress/", boards.board_progress_view, "board_progress"),
        ("releases/<int:index_id>/<slug:verb>/", boards.board_action_view, "board_action"),
        ("graph/", graph.graph_home_view, "graph_home"),
        ("graph/<int:world_id>/", graph.graph_view, "graph"),
        ("graph/<int:world_id>/data/", graph.graph_data_view, "graph_data"),
        ("graph/<int:world_id>/merges/", graph.graph_merges_view, "graph_merges"),
        ("graph/<int:world_id>/entities/<int:entity_id>/", graph.graph_entity_view, "graph_entity"),
        ("graph/<int:world_id>/<slug:verb>/", graph.graph_action_view, "graph_action"),
        ("playground/", playground.playground_view, "playground"),
        ("golden/<int:index_id>/run/", golden.run_golden_view, "run_golden"),
        ("golden/<int:index_id>/export/", golden.export_golden_view, "export_golden"),
        ("golden/<int:index_id>/import/", golden.import_golden_view, "import_golden"),
        ("golden/runs/<int:run_id>/", golden.golden_run_view, "golden_run"),
        ("golden/changes/<int:change_id>/", golden_changes.golden_change_view, "golden_change"),
        (
            "golden/changes/<int:change_id>/<slug:verb>/",
            golden_changes.golden_change_action_view,
            "golden_change_action",
        ),
        ("embeddings/<int:index_id>/retry/", home.retry_embeddings_view, "retry_embeddings"),
        ("zero-hits/<int:index_id>/forget/", home.forget_zero_hit_view, "forget_zero_hit"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
