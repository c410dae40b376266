"""Routes of events and lorebooks of conversations, below /api/v1/."""

from django.urls import path

from episodes.events.api.events import ConversationEventsView, EventArchiveView, EventRetryView, EventView

urlpatterns = [
    path("conversations/<int:conversation_id>/events", ConversationEventsView.as_view(), name="conversation-events"),
    path("events/archive", EventArchiveView.as_view(), name="event-archive"),
    path("events/<uuid:node_id>", EventView.as_view(), name="event"),
    path("events/<uuid:node_id>/retry", EventRetryView.as_view(), name="event-retry"),
]
