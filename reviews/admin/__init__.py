"""The editorial pages: home, documents, change requests, the release board, golden queries, the playground, the log."""

from reviews.admin import audit, golden, requests

__all__ = ["audit", "golden", "golden_changes", "requests"]
