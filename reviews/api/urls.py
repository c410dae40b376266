"""Routes of review, below /api/v1/."""

from django.urls import path

from reviews.api.change_requests import ChangeRequestsView, ChangeRequestView
from reviews.api.npcs import NpcView
from reviews.quality.api.views import ExtractionQualityView
from tenancy.api import paths  # noqa: F401 - registers the converter of ids

urlpatterns = [
    path("npcs/<id:npc_id>", NpcView.as_view(), name="npc"),
    path("extraction/quality", ExtractionQualityView.as_view(), name="extraction-quality"),
    path("change-requests", ChangeRequestsView.as_view(), name="change-requests"),
    path("change-requests/<int:change_request_id>", ChangeRequestView.as_view(), name="change-request"),
]
