"""The admin pages of fact checking: contradicted claims, patterns and what they name."""

from factcheck.claims import admin as claims
from factcheck.extraction import admin as extraction
from factcheck.patterns.admin import patterns

__all__ = ["claims", "extraction", "patterns"]
