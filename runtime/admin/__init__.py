"""Admin pages of those who run the installation, and of those who design what models are told."""

from runtime.admin import periodic
from runtime.traces.admin import TraceAdmin

__all__ = ["TraceAdmin", "periodic"]
