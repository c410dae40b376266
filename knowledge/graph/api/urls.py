"""Routes of the graph, below /api/v1/."""

from django.urls import path

from knowledge.graph.api.views import GraphEntitiesView, GraphEntityView, GraphPathsView

urlpatterns = [
    path("graph/entities", GraphEntitiesView.as_view(), name="graph-entities"),
    path("graph/entities/<int:entity_id>", GraphEntityView.as_view(), name="graph-entity"),
    path("graph/paths", GraphPathsView.as_view(), name="graph-paths"),
]
