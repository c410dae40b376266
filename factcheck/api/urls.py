"""Routes of fact checking, below /api/v1/."""

from django.urls import path

from factcheck.api.assertions import AssertView

urlpatterns = [
    path("lore/assert", AssertView.as_view(), name="lore-assert"),
]
