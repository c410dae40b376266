"""Routes of review, below /api/v1/."""

from django.urls import path

from memoryproject.rest import paths  # noqa: F401 - registers the converter of ids
from reviews.change_requests.api.change_requests import ChangeRequestsView, ChangeRequestView
from reviews.lorebooks.api.cards import NpcCardLossesView, NpcCardPictureView, NpcCardView
from reviews.lorebooks.api.event_proposals import EventProposeView
from reviews.lorebooks.api.views import (
    CardImportView,
    LorebookConvertView,
    LorebookExportView,
    LorebookImportView,
    LorebookLossesView,
    LorebookPreviewView,
)
from reviews.npcs.api import NpcView
from reviews.quality.api.views import ExtractionQualityView

urlpatterns = [
    path("npcs/<id:npc_id>", NpcView.as_view(), name="npc"),
    path("extraction/quality", ExtractionQualityView.as_view(), name="extraction-quality"),
    path("lorebooks/import", LorebookImportView.as_view(), name="lorebook-import"),
    path("lorebooks/preview", LorebookPreviewView.as_view(), name="lorebook-preview"),
    path("lorebooks/convert", LorebookConvertView.as_view(), name="lorebook-convert"),
    path("lorebooks/losses", LorebookLossesView.as_view(), name="lorebook-losses"),
    path("lorebooks/export", LorebookExportView.as_view(), name="lorebook-export"),
    path("events/<uuid:node_id>/propose", EventProposeView.as_view(), name="event-propose"),
    path("cards/import", CardImportView.as_view(), name="card-import"),
    path("cards/<id:npc_id>.json", NpcCardView.as_view(), name="npc-card"),
    path("cards/<id:npc_id>.png", NpcCardPictureView.as_view(), name="npc-card-picture"),
    path("cards/<id:npc_id>/losses", NpcCardLossesView.as_view(), name="npc-card-losses"),
    path("change-requests", ChangeRequestsView.as_view(), name="change-requests"),
    path("change-requests/<int:change_request_id>", ChangeRequestView.as_view(), name="change-request"),
]
