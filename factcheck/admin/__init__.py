"""The admin pages of fact checking: contradicted claims, patterns and what they name."""

from factcheck.admin import claims, patterns
from factcheck.extraction import admin as extraction

__all__ = ["claims", "extraction", "patterns"]
