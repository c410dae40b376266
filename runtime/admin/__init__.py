"""Admin pages of those who run the installation, and of those who design what models are told."""

from runtime.admin import periodic

__all__ = ["periodic"]
