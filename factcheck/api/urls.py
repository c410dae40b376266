"""Routes of posting messages and of fact checking, below /api/v1/."""

from django.urls import include, path

from factcheck.alternatives.api import EditView, SelectView, SwipeView
from factcheck.claims.api.assertions import AssertView
from factcheck.plots.api.events import EventExtractionView
from factcheck.posting.api.messages import ExtractingMessagesView, UnderstandingBatchesView

urlpatterns = [
    path("conversations/<int:conversation_id>/messages", ExtractingMessagesView.as_view(), name="messages"),
    path(
        "conversations/<int:conversation_id>/messages/batch", UnderstandingBatchesView.as_view(), name="message-batches"
    ),
    path("conversations/<int:conversation_id>/swipes", SwipeView.as_view(), name="message-swipes"),
    path("messages/<int:message_id>/edit", EditView.as_view(), name="message-edit"),
    path("messages/<int:message_id>/select", SelectView.as_view(), name="message-select"),
    path("", include("factcheck.extraction.api.urls")),
    path(
        "conversations/<int:conversation_id>/events/extract",
        EventExtractionView.as_view(),
        name="conversation-events-extract",
    ),
    path("lore/assert", AssertView.as_view(), name="lore-assert"),
]
