"""Admin pages of those who run the installation, and of those who design what models are told."""

from runtime.admin import periodic
from runtime.admin.traces import TraceAdmin

__all__ = ["TraceAdmin", "periodic"]
