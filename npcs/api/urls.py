"""Routes of NPCs, below /api/v1/; episodes has the one of a single NPC, which knows scenes."""

from django.urls import path

from npcs.api.dispositions import CompensationsView, LedgerView
from npcs.api.npcs import NpcsView

urlpatterns = [
    path("npcs", NpcsView.as_view(), name="npcs"),
    path("npcs/<str:npc_id>/dispositions/history", LedgerView.as_view(), name="npc-dispositions"),
    path("npcs/<str:npc_id>/dispositions/compensations", CompensationsView.as_view(), name="npc-compensations"),
]
