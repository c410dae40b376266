"""Pages of the second stage: runs, candidates, a player's share, the tenant's switch."""

from factcheck.extraction.admin import candidates, runs

__all__ = ["candidates", "runs"]
