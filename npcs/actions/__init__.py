"""Writes of npcs."""

from npcs.actions.dispositions import apply_disposition_changes, compensate_disposition
from npcs.actions.erasure import ErasedStanding, erase_standing
from npcs.actions.profiles import Approval, WrittenProfile, check_refs, write_profile
from npcs.actions.rollback import RolledDispositions, roll_back_dispositions
from npcs.actions.scales import ensure_scale, set_scale

__all__ = [
    "Approval",
    "ErasedStanding",
    "RolledDispositions",
    "WrittenProfile",
    "apply_disposition_changes",
    "check_refs",
    "compensate_disposition",
    "ensure_scale",
    "erase_standing",
    "roll_back_dispositions",
    "set_scale",
    "write_profile",
]
