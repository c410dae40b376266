"""The editorial pages: home, documents, change requests, the release board, golden queries, the playground, the log."""

from reviews.audit import admin as audit
from reviews.change_requests.admin import requests
from reviews.golden.admin import queries as golden

__all__ = ["audit", "golden", "golden_changes", "requests"]
