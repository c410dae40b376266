"""Tables of npcs."""

from npcs.dispositions.models import Disposition, DispositionEntry, DispositionScale
from npcs.profiles.models import Npc, NpcPersona, NpcState

__all__ = ["Disposition", "DispositionEntry", "DispositionScale", "Npc", "NpcPersona", "NpcState"]
