"""Writes of npcs."""

from npcs.actions.dispositions import apply_disposition_changes, compensate_disposition
from npcs.actions.profiles import WrittenProfile, write_profile
from npcs.actions.scales import ensure_scale, set_scale

__all__ = [
    "WrittenProfile",
    "apply_disposition_changes",
    "compensate_disposition",
    "ensure_scale",
    "set_scale",
    "write_profile",
]
