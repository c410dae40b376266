"""Routes of NPCs, below /api/v1/."""

from django.urls import path

from npcs.api.dispositions import CompensationsView, LedgerView
from npcs.api.npcs import NpcsView, NpcView

urlpatterns = [
    path("npcs", NpcsView.as_view(), name="npcs"),
    path("npcs/<str:npc_id>", NpcView.as_view(), name="npc"),
    path("npcs/<str:npc_id>/dispositions/history", LedgerView.as_view(), name="npc-dispositions"),
    path("npcs/<str:npc_id>/dispositions/compensations", CompensationsView.as_view(), name="npc-compensations"),
]
