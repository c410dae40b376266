"""The admin pages of fact checking: contradicted claims, patterns and what they name."""

from factcheck.admin import claims, patterns

__all__ = ["claims", "patterns"]
