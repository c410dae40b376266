"""Writes of npcs."""

from npcs.actions.dispositions import apply_disposition_changes, compensate_disposition
from npcs.actions.scales import ensure_scale, set_scale

__all__ = ["apply_disposition_changes", "compensate_disposition", "ensure_scale", "set_scale"]
