"""Routes of events and lorebooks of conversations, below /api/v1/."""

from django.urls import path

from episodes.events.api.events import ConversationEventsView, EventArchiveView, EventRetryView, EventView
from episodes.events.api.policy import EventPolicyView
from episodes.events.api.proposals import EventProposalAcceptView, EventProposalDeclineView, EventProposalsView
from episodes.events.api.search import EventSearchView
from episodes.events.api.worldinfo import WorldInfoView

urlpatterns = [
    path("conversations/<int:conversation_id>/events", ConversationEventsView.as_view(), name="conversation-events"),
    path("events/archive", EventArchiveView.as_view(), name="event-archive"),
    path("events/policy", EventPolicyView.as_view(), name="event-policy"),
    path("events/proposals", EventProposalsView.as_view(), name="event-proposals"),
    path(
        "events/proposals/<int:event_proposal_id>/accept",
        EventProposalAcceptView.as_view(),
        name="event-proposal-accept",
    ),
    path(
        "events/proposals/<int:event_proposal_id>/decline",
        EventProposalDeclineView.as_view(),
        name="event-proposal-decline",
    ),
    path("worldinfo", WorldInfoView.as_view(), name="worldinfo"),
    path("users/<id:user_id>/events/search", EventSearchView.as_view(), name="event-search"),
    path("events/<uuid:node_id>", EventView.as_view(), name="event"),
    path("events/<uuid:node_id>/retry", EventRetryView.as_view(), name="event-retry"),
]
