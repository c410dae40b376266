"""Routes of the runtime app, below /api/v1/."""

from django.urls import path

from runtime.api.status import StatusView

urlpatterns = [
    path("status", StatusView.as_view(), name="status"),
]
