"""Routes of review, below /api/v1/."""

from django.urls import path

from reviews.api.change_requests import ChangeRequestsView, ChangeRequestView

urlpatterns = [
    path("change-requests", ChangeRequestsView.as_view(), name="change-requests"),
    path("change-requests/<int:change_request_id>", ChangeRequestView.as_view(), name="change-request"),
]
