"""Tables of runtime."""

from runtime.lorebooks.models import LorebookState
from runtime.traces.models import Thumb, Trace, TraceFeedback, TraceKind

__all__ = ["LorebookState", "Thumb", "Trace", "TraceFeedback", "TraceKind"]
