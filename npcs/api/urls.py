"""Routes of NPCs, below /api/v1/; episodes has the one of a single NPC, which knows scenes."""

from django.urls import path

from memoryproject.rest import paths  # noqa: F401 - registers the converter of ids
from npcs.dispositions.api import CompensationsView, LedgerView
from npcs.profiles.api.npcs import NpcsView

urlpatterns = [
    path("npcs", NpcsView.as_view(), name="npcs"),
    path("npcs/<id:npc_id>/dispositions/history", LedgerView.as_view(), name="npc-dispositions"),
    path("npcs/<id:npc_id>/dispositions/compensations", CompensationsView.as_view(), name="npc-compensations"),
]
