"""The admin pages of fact checking."""

from factcheck.admin import claims

__all__ = ["claims"]
