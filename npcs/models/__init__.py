"""Tables of npcs."""

from npcs.models.dispositions import Disposition, DispositionEntry, DispositionScale
from npcs.models.profiles import Npc, NpcPersona, NpcState

__all__ = ["Disposition", "DispositionEntry", "DispositionScale", "Npc", "NpcPersona", "NpcState"]
