"""Session memory: how much of a talk NPCs keep at hand, and for how long."""

from memoryproject.environment import read_bool, read_int

MEMORY_ENABLED = read_bool("MEMORY_ENABLED", default=True)
PREFERENCE_INFERENCE_ENABLED = read_bool("PREFERENCE_INFERENCE_ENABLED", default=True)
"""Whether what a player says twice about answers becomes a preference of the session."""
MEMORY_TTL_SECONDS = read_int("MEMORY_TTL_SECONDS", 86400, at_least=1)
MEMORY_MAX_MESSAGES = read_int("MEMORY_MAX_MESSAGES", 10, at_least=1)
MEMORY_MAX_CHARS = read_int("MEMORY_MAX_CHARS", 4000, at_least=1)
