"""Routes of posting messages and of fact checking, below /api/v1/."""

from django.urls import include, path

from factcheck.api.assertions import AssertView
from factcheck.api.messages import ExtractingMessagesView, UnderstandingBatchesView

urlpatterns = [
    path("conversations/<int:conversation_id>/messages", ExtractingMessagesView.as_view(), name="messages"),
    path(
        "conversations/<int:conversation_id>/messages/batch",
        UnderstandingBatchesView.as_view(),
        name="message-batches",
    ),
    path("", include("factcheck.extraction.api.urls")),
    path("lore/assert", AssertView.as_view(), name="lore-assert"),
]
