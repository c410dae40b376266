"""Tables of runtime."""

from runtime.models.lorebook_states import LorebookState
from runtime.models.traces import Thumb, Trace, TraceFeedback, TraceKind

__all__ = ["LorebookState", "Thumb", "Trace", "TraceFeedback", "TraceKind"]
