"""Reads of npcs."""

from npcs.selectors.dispositions import Standing, get_standing, list_ledger
from npcs.selectors.profiles import NpcMarkers, ProfileView, get_profile, list_markers, list_personas, list_profiles
from npcs.selectors.sheets import NpcSheet, get_sheet

__all__ = [
    "NpcMarkers",
    "NpcSheet",
    "ProfileView",
    "Standing",
    "get_profile",
    "get_sheet",
    "get_standing",
    "list_ledger",
    "list_markers",
    "list_personas",
    "list_profiles",
]
