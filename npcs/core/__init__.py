"""Pure parts of npcs: what a change of a disposition is."""

from npcs.core.dispositions import AppliedDisposition, DispositionChange, Scale

__all__ = ["AppliedDisposition", "DispositionChange", "Scale"]
