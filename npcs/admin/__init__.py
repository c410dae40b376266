"""Admin pages of NPCs: who they are, in versions, and the writes that people may make by hand."""

from npcs.profiles.admin.lists import NpcAdmin

__all__ = ["NpcAdmin"]
