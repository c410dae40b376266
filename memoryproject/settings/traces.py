"""Traces: whether turns are recorded, and for how long."""

from memoryproject.environment import read_bool, read_int

TRACES_ENABLED = read_bool("TRACES_ENABLED", default=True)
TRACE_TTL_DAYS = read_int("TRACE_TTL_DAYS", 30, at_least=1)
