"""Reads of npcs."""

from npcs.selectors.dispositions import (
    Standing,
    get_scale,
    get_standing,
    list_compensated,
    list_impacts,
    list_ledger,
    list_standings,
)
from npcs.selectors.lore import LoreRef, list_refs
from npcs.selectors.profiles import NpcMarkers, ProfileView, get_profile, list_markers, list_personas, list_profiles
from npcs.selectors.relations import NpcRelation, list_npc_secrets, list_party_dispositions, list_sharing_relations
from npcs.selectors.sheets import NpcSheet, get_sheet

__all__ = [
    "LoreRef",
    "NpcMarkers",
    "NpcRelation",
    "NpcSheet",
    "ProfileView",
    "Standing",
    "get_profile",
    "get_scale",
    "get_sheet",
    "get_standing",
    "list_compensated",
    "list_impacts",
    "list_ledger",
    "list_markers",
    "list_npc_secrets",
    "list_party_dispositions",
    "list_personas",
    "list_profiles",
    "list_refs",
    "list_sharing_relations",
    "list_standings",
]
