"""What can go wrong between an agent and Memory37."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Memory37Error(Exception):
    """Memory37 refused. `code` is a stable word to branch on; `document` is the whole problem document (RFC 9457)."""

    def __init__(self, status: int, code: str, detail: str, document: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.document = dict(document or {})


class Memory37Unavailable(Memory37Error):
    """Memory37 did not answer, or said that it can't now, and went on so when it was asked again."""
