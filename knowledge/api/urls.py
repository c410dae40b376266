"""Routes of canon, below /api/v1/."""

from django.urls import path

from knowledge.api.search import SearchView

urlpatterns = [
    path("lore/search", SearchView.as_view(), name="lore-search"),
]
