"""Tables of runtime."""

from runtime.models.traces import Thumb, Trace, TraceFeedback, TraceKind

__all__ = ["Thumb", "Trace", "TraceFeedback", "TraceKind"]
